// A page that could not be drawn: the rest of the console goes on.
import type { ErrorComponentProps } from '@tanstack/react-router';
import { Failure } from '../components/failure.tsx';
import { t } from '../words/t.ts';

export function Broken({ error }: ErrorComponentProps) {
  return (
    <>
      <h1 className="mb-4 text-xl font-semibold">{t('broken.title')}</h1>
      {/* A browser remembers of a file that it could not be loaded, as long as the page is open. */}
      <Failure error={error} onRetry={() => location.reload()} />
    </>
  );
}
