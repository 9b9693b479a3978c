// Shown for a page that could not be rendered; the rest of the console works.
import type { ErrorComponentProps } from '@tanstack/react-router';
import { Failure } from '../components/failure.tsx';
import { t } from '../words/t.ts';

export function Broken({ error }: ErrorComponentProps) {
  return (
    <>
      <h1 className="mb-4 text-xl font-semibold">{t('broken.title')}</h1>
      {/* While the page is open, the browser remembers that a file could not be loaded: only reloading helps. */}
      <Failure error={error} onRetry={() => location.reload()} />
    </>
  );
}
