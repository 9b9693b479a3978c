// The person's open sessions, which can be ended; for an admin, the sessions of all operators.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiAct, apiGet } from '../api/http.ts';
import type { Page } from '../api/request-types.ts';
import { useMay } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { Button } from '../components/button.tsx';
import { Dialog, DialogActions } from '../components/dialog.tsx';
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

const pathOf = ({ session_id: id }: SessionLine) => `/sessions/${encodeURIComponent(id)}`;

export function SessionsDialog({ onClose }: { onClose: () => void }) {
  const [everyone, setEveryone] = useState(false);
  const isAdmin = useMay('admin');
  const { data, error, refetch } = useQuery({
    queryKey: ['sessions', everyone],
    queryFn: ({ signal }) =>
      apiGet<Page<SessionLine>>('/sessions', everyone ? { everyone: 'true' } : {}, signal),
  });
  const sessions = data?.items ?? [];
  const others = sessions.filter(({ is_current: isThis }) => !isThis);
  async function endOthers() {
    await Promise.allSettled(others.map((it) => apiAct(pathOf(it), { method: 'DELETE' })));
    void refetch();
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(everyone ? 'sessions.everyone' : 'sessions.title')}
      description={t('sessions.meaning')}
      wide
    >
      {isAdmin ? (
        <label className="mb-2 flex items-center gap-2 text-sm">
          <input
            type="checkbox"
            className="accent-(--accent)"
            checked={everyone}
            onChange={({ target }) => setEveryone(target.checked)}
          />
          {t('sessions.showEveryone')}
        </label>
      ) : null}
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Loading /> : null}
      <ul className="divide-y border-y">
        {sessions.map((session) => (
          <Session key={session.session_id} session={session} showsName={everyone} />
        ))}
      </ul>
      {others.length > 1 && !everyone ? (
        <DialogActions>
          <Button look="danger" onClick={() => void endOthers()}>
            {t('sessions.endOthers')}
          </Button>
        </DialogActions>
      ) : null}
    </Dialog>
  );
}

function Session({ session, showsName }: { session: SessionLine; showsName: boolean }) {
  const end = useAction();
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-2 font-medium">
          {showsName ? `${session.name} · ` : ''}
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
              path: pathOf(session),
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
