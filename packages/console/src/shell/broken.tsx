// A page that could not be drawn: the rest of the console goes on.
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { Failure } from '../components/failure.tsx';

export function Broken({ error }: ErrorComponentProps) {
  const router = useRouter();
  return <Failure error={error} onRetry={() => void router.invalidate()} />;
}
