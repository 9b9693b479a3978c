// A client and its secrets: a new secret is made before the old one is revoked, so that nothing is interrupted.
import { useState } from 'react';
import type { ClientLine, NewSecret, SecretLine } from '../../api/other-types.ts';
import { useMay } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { Icon } from '../../components/icons.tsx';
import { Pill } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { t } from '../../words/t.ts';
import { RevokeDialog } from './revoke-dialog.tsx';
import { TryRequest } from './try-request.tsx';

interface ClientProps {
  readonly client: ClientLine;
  readonly onSecret: (secret: NewSecret) => void;
}

export function Client({ client, onSecret }: ClientProps) {
  const [revoking, setRevoking] = useState<SecretLine | 'client'>();
  const [trying, setTrying] = useState(false);
  const rotate = useAction<NewSecret>({ onDone: onSecret });
  const isAdmin = useMay('admin');
  const path = `/clients/${encodeURIComponent(client.client_id)}`;
  const isRevoked = client.revoked_time !== null;
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="inline-flex min-w-0 items-center gap-1">
          <span className={`mono truncate ${isRevoked ? 'text-ink-3 line-through' : ''}`}>
            {client.client_id}
          </span>
          <CopyButton text={client.client_id} label={t('clients.id')} />
        </span>
        {client.name === null ? null : <span className="min-w-0 text-ink-2">{client.name}</span>}
        {isRevoked ? <Pill tone="idle">{t('revoked')}</Pill> : null}
        <span className="text-sm text-ink-3">
          {t('created').toLowerCase()} <Time iso={client.created_time} />
        </span>
        {isAdmin && !isRevoked ? (
          <span className="ml-auto flex flex-wrap gap-2">
            <Button size="small" icon="play" onClick={() => setTrying(true)}>
              {t('try.button')}
            </Button>
            <Button
              size="small"
              icon="key"
              busy={rotate.isPending}
              onClick={() => rotate.mutate({ path: `${path}/secrets`, done: '' })}
            >
              {t('secrets.new')}
            </Button>
            <Button size="small" look="danger" onClick={() => setRevoking('client')}>
              {t('revoke')}
            </Button>
          </span>
        ) : null}
      </div>
      <ul className="mt-2 flex flex-col gap-1">
        {client.secrets.map((secret) => (
          <li key={secret.secret_id} className="flex flex-wrap items-center gap-x-3 text-sm">
            <Icon name="key" className="size-3.5 text-ink-3" />
            <span
              className={`mono ${secret.revoked_time === null ? '' : 'text-ink-3 line-through'}`}
            >
              {secret.secret_id}
            </span>
            <span className="text-ink-3">
              {secret.revoked_time === null ? (
                <>
                  {t('created').toLowerCase()} <Time iso={secret.created_time} />
                </>
              ) : (
                <>
                  {t('revoked').toLowerCase()} <Time iso={secret.revoked_time} />
                </>
              )}
            </span>
            {isAdmin && !isRevoked && secret.revoked_time === null ? (
              <Button
                size="small"
                look="quiet"
                className="ml-auto"
                onClick={() => setRevoking(secret)}
              >
                {t('secrets.revoke')}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {trying ? <TryRequest clientId={client.client_id} onClose={() => setTrying(false)} /> : null}
      {revoking === undefined ? null : (
        <RevokeDialog
          path={
            revoking === 'client'
              ? `${path}/revoke`
              : `${path}/secrets/${encodeURIComponent(revoking.secret_id)}/revoke`
          }
          isClient={revoking === 'client'}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </li>
  );
}
