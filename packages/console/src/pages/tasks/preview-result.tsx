import type { Preview, PreviewedTarget } from '../../api/request-types.ts';
import { Pill, type Tone } from '../../components/status.tsx';
import { type PluralKey, t, tName, tn } from '../../words/t.ts';

const TONES: Readonly<Record<PreviewedTarget['outcome'], Tone>> = {
  would_erase: 'accent',
  not_found: 'idle',
  would_hold: 'warn',
  would_wait: 'warn',
  would_skip: 'idle',
  failed: 'bad',
};

function linesOf(target: PreviewedTarget): string[] {
  const lines = (key: PluralKey, counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([table, count]) => tn(key, count, { table }));
  return [
    ...lines('preview.go', target.rows),
    ...lines('preview.kept', target.retained),
    ...lines('preview.shared', target.shared_kept),
    ...lines('preview.detached', target.detached),
  ];
}

export function PreviewResult({ preview }: { preview: Preview }) {
  return (
    <>
      {preview.waits_for.length > 0 ? (
        <p className="mb-3 text-ink-2">
          {t('preview.waitsFor', { what: preview.waits_for.join(', ') })}
        </p>
      ) : null}
      <ul className="divide-y border-y">
        {preview.targets.map((target) => (
          <li key={target.target} className="py-2.5">
            <p className="flex items-center justify-between gap-3">
              <span className="font-medium">{target.target}</span>
              <Pill tone={TONES[target.outcome]}>{tName('outcome', target.outcome)}</Pill>
            </p>
            {linesOf(target).map((line) => (
              <p key={line} className="text-sm break-words text-ink-2">
                {line}
              </p>
            ))}
            {target.detail === null ? null : (
              <p className="text-sm break-words text-ink-2">{target.detail}</p>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
