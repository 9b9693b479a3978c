// Tokens with which scripts call the operator API. For admins.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiGet } from '../../api/http.ts';
import type { Page } from '../../api/request-types.ts';
import { AskDialog } from '../../components/ask-dialog.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Empty, Failure, Loading } from '../../components/failure.tsx';
import { Pill } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { t, tName } from '../../words/t.ts';
import { NewScriptAccess } from './new-script-access.tsx';

interface OperatorClient {
  readonly client_id: string;
  readonly name: string;
  readonly role: string;
  readonly created_time: string;
  readonly expires_time: string | null;
  readonly revoked_time: string | null;
}

export function ScriptAccess() {
  const { data, error, refetch } = useQuery({
    queryKey: ['operator-clients'],
    queryFn: ({ signal }) => apiGet<Page<OperatorClient>>('/operator-clients', {}, signal),
  });
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<OperatorClient>();
  return (
    <Card
      flush
      title={t('scripts.title')}
      aside={
        <Button size="small" icon="plus" onClick={() => setCreating(true)}>
          {t('scripts.new')}
        </Button>
      }
    >
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Loading /> : null}
      {data?.items.length === 0 ? (
        <Empty title={t('scripts.none')}>{t('scripts.none.more')}</Empty>
      ) : null}
      <ul className="divide-y">
        {(data?.items ?? []).map((client) => (
          <li
            key={client.client_id}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2"
          >
            <span className="min-w-0 font-medium">{client.name}</span>
            <Pill tone={client.revoked_time === null ? 'accent' : 'idle'}>
              {client.revoked_time === null ? tName('role', client.role) : t('revoked')}
            </Pill>
            <span className="text-sm text-ink-3">
              {t('created').toLowerCase()} <Time iso={client.created_time} />
              {client.expires_time === null ? null : (
                <>
                  {' · '}
                  {t('scripts.ends')} <Time iso={client.expires_time} />
                </>
              )}
            </span>
            {client.revoked_time === null ? (
              <Button
                size="small"
                look="danger"
                className="ml-auto"
                onClick={() => setRevoking(client)}
              >
                {t('revoke')}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {creating ? <NewScriptAccess onClose={() => setCreating(false)} /> : null}
      {revoking === undefined ? null : (
        <RevokeAccess client={revoking} onClose={() => setRevoking(undefined)} />
      )}
    </Card>
  );
}

function RevokeAccess({ client, onClose }: { client: OperatorClient; onClose: () => void }) {
  const path = `/operator-clients/${encodeURIComponent(client.client_id)}`;
  return (
    <AskDialog
      title={t('scripts.revoke.question')}
      description={t('scripts.revoke.meaning')}
      button={t('revoke')}
      danger
      action={() => ({ path, options: { method: 'DELETE' }, done: t('revoked.done') })}
      onClose={onClose}
    />
  );
}
