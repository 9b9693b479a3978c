// What went wrong, and what to do about it.
import type { ReactNode } from 'react';
import { ApiFailure } from '../api/http.ts';
import { t } from '../words/t.ts';
import { Button } from './button.tsx';
import { Mark } from './status.tsx';
import { useToldOnce } from './told-once.ts';

export function failureWords(error: unknown): string {
  if (!(error instanceof ApiFailure)) return t('failure.unknown');
  if (error.status === 0) return t('failure.noAnswer');
  const message = error.message === '' ? wordsOfStatus(error.status) : error.message;
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
  const first = sentence.charAt(0).toUpperCase() + sentence.slice(1);
  return error.happened === null ? first : `${error.happened.words}. ${t('failure.reloaded')}`;
}

/** Message for answers that Unwrite did not write itself, such as those of a proxy in front of it. */
function wordsOfStatus(status: number): string {
  if (status === 413) return t('failure.tooLarge');
  return status === 502 || status === 504 ? t('failure.proxy') : t('failure.unknown');
}

function adviceFor(error: unknown): string {
  const status = error instanceof ApiFailure ? error.status : undefined;
  if (status === 403) return t('failure.advice.403');
  if (status === 404) return t('failure.advice.404');
  if (status === 503) return t('failure.advice.503');
  return status === 0 ? t('failure.advice.noAnswer') : t('failure.advice.other');
}

export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { place, isFirst } = useToldOnce(failureWords(error));
  if (!isFirst) {
    return (
      <p ref={place} className="px-4 py-3 text-ink-2">
        {t('failure.toldAbove')}
      </p>
    );
  }
  return (
    <div ref={place} role="alert" className="card flex items-start gap-3 p-4">
      <span className="pt-1">
        <Mark tone="bad" shape="triangle" />
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words">{failureWords(error)}</p>
        <p className="mt-0.5 text-ink-2">{adviceFor(error)}</p>
      </div>
      {onRetry === undefined ? null : (
        <Button size="small" icon="refresh" onClick={onRetry}>
          {t('tryAgain')}
        </Button>
      )}
    </div>
  );
}

/** For use inside a form or a dialog. */
export function FailureLine({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <p
      role="alert"
      className="mt-3 rounded-[7px] bg-bad-soft px-3 py-2 text-sm break-words text-bad"
    >
      {failureWords(error)}
    </p>
  );
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col items-center px-6 py-10 text-center">
      <p className="font-medium">{title}</p>
      {children === undefined ? null : <div className="mt-1 max-w-md text-ink-2">{children}</div>}
    </div>
  );
}

/** Widths of placeholder bars in per cent. */
const WIDTHS = [88, 71, 54, 77, 60, 83, 66, 49, 72, 55];

export function Loading({ rows = 3 }: { rows?: number }) {
  return (
    <div className="flex flex-col gap-3 p-4" aria-busy="true">
      <span className="sr-only">{t('loading')}</span>
      {WIDTHS.slice(0, rows).map((width) => (
        <div key={width} className="shimmer h-5" style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
