// Everywhere that this person is signed in, with the way to end it.

import { useQuery } from '@tanstack/react-query';
import { apiGet } from '../api/http.ts';
import type { Page } from '../api/request-types.ts';
import { useAction } from '../api/use-action.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Failure, Loading } from '../components/failure.tsx';
import { Pill } from '../components/status.tsx';
import { Time } from '../components/time.tsx';
import { t, tName } from '../words/t.ts';

interface SessionLine {
  readonly session_id: string;
  readonly name: string;
  readonly role: string;
  readonly way: string;
  readonly browser: string | null;
  readonly created_time: string;
  readonly used_time: string;
  readonly expires_time: string;
  readonly is_current: boolean;
}

export function SessionsDialog({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => apiGet<Page<SessionLine>>('/sessions', {}, signal),
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('sessions.title')}
      description={t('sessions.meaning')}
      wide
    >
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Loading /> : null}
      <ul className="divide-y">
        {(data?.items ?? []).map((session) => (
          <Session key={session.session_id} session={session} />
        ))}
      </ul>
    </Dialog>
  );
}

function Session({ session }: { session: SessionLine }) {
  const end = useAction();
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-2 font-medium">
          {session.browser ?? t('sessions.unknown')}
          {session.is_current ? <Pill tone="good">{t('sessions.this')}</Pill> : null}
        </span>
        <span className="block text-sm text-ink-2">
          {tName('role', session.role)} · {tName('sessions.way', session.way)} ·{' '}
          {t('sessions.used')} <Time iso={session.used_time} /> · {t('sessions.until')}{' '}
          <Time iso={session.expires_time} />
        </span>
      </span>
      {session.is_current ? null : (
        <Button
          size="small"
          look="danger"
          busy={end.isPending}
          onClick={() =>
            end.mutate({
              path: `/sessions/${encodeURIComponent(session.session_id)}`,
              options: { method: 'DELETE' },
              done: t('sessions.ended'),
            })
          }
        >
          {t('sessions.end')}
        </Button>
      )}
    </li>
  );
}
