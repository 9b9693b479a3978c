// The keys that seal and sign, and how old each is. Destroying one stays at the machine.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keysQuery } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Failure, FailureLine, Loading } from '../../components/failure.tsx';
import { Pill } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber, t, tName } from '../../words/t.ts';

export function KeysCard() {
  const { data, error, refetch } = useQuery(keysQuery);
  const [asking, setAsking] = useState(false);
  const isAdmin = useMay('admin');
  return (
    <Card
      flush
      title={t('keys.title')}
      aside={
        isAdmin ? (
          <Button size="small" icon="key" onClick={() => setAsking(true)}>
            {t('keys.rotate')}
          </Button>
        ) : undefined
      }
    >
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Loading /> : null}
      <h3 className="eyebrow px-4 pt-3">{t('keys.master')}</h3>
      <ul className="divide-y">
        {(data?.items ?? []).map((key) => (
          <li key={key.master_key} className="flex flex-wrap items-center gap-x-3 px-4 py-2">
            <span className="mono">{key.master_key}</span>
            <Pill tone={key.retired_time === null ? 'good' : 'idle'}>
              {tName('keyState', key.state)}
            </Pill>
            <span className="numbers ml-auto text-sm text-ink-2">
              {t('keys.sealed', { count: `${formatNumber(key.sealed)}${key.capped ? '+' : ''}` })} ·{' '}
              <Time iso={key.created_time} />
            </span>
          </li>
        ))}
      </ul>
      <h3 className="eyebrow border-t px-4 pt-3">{t('keys.signing')}</h3>
      <ul className="divide-y">
        {(data?.signing_keys ?? []).map((key) => (
          <li key={key.kid} className="flex flex-wrap items-center gap-x-3 px-4 py-2">
            <span className="mono">{key.kid}</span>
            {key.revoked_time === null ? null : <Pill tone="bad">{t('revoked')}</Pill>}
            {key.retired_time !== null && key.revoked_time === null ? (
              <Pill tone="idle">{t('keys.retired')}</Pill>
            ) : null}
            <span className="ml-auto text-sm text-ink-2">
              <Time iso={key.created_time} />
            </span>
          </li>
        ))}
      </ul>
      {asking ? <RotateDialog onClose={() => setAsking(false)} /> : null}
    </Card>
  );
}

function RotateDialog({ onClose }: { onClose: () => void }) {
  const rotate = useAction({ onDone: onClose, showsFailure: true });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('keys.rotate.question')}
      description={t('keys.rotate.meaning')}
    >
      <FailureLine error={rotate.error} />
      <DialogActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button
          look="primary"
          icon="key"
          busy={rotate.isPending}
          onClick={() => rotate.mutate({ path: '/keys/rotate', done: t('keys.rotated') })}
        >
          {t('keys.rotate')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
