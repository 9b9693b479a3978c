// A page that could not be drawn: the rest of the console goes on.
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { Failure } from '../components/failure.tsx';
import { t } from '../words/t.ts';

export function Broken({ error }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <>
      <h1 className="mb-4 text-xl font-semibold">{t('broken.title')}</h1>
      <Failure error={error} onRetry={() => void router.invalidate()} />
    </>
  );
}
