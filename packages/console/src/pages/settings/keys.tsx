// The keys that seal and sign, and their age. Keys can be destroyed only on the command line.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { keysQuery, proofKeysQuery } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Failure, Loading } from '../../components/failure.tsx';
import { Pill } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber, t, tName } from '../../words/t.ts';
import { type KeyKind, RotateKeys } from './rotate-keys.tsx';

/** Characters shown of a key id; the rest is shown on hover. */
const MAX_SHOWN = 16;

export function KeysCard() {
  const { data, error, refetch } = useQuery(keysQuery);
  const { data: proof } = useQuery(proofKeysQuery);
  const [rotating, setRotating] = useState<KeyKind>();
  return (
    <Card flush title={t('keys.title')}>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Loading /> : null}
      <Kind kind="master" onRotate={setRotating}>
        {(data?.items ?? []).map((key) => (
          <Line key={key.master_key} id={key.master_key} time={key.created_time}>
            <Pill tone={key.retired_time === null ? 'good' : 'idle'}>
              {tName('keyState', key.state)}
            </Pill>
            <span className="numbers text-sm text-ink-2">
              {t('keys.sealed', { count: `${formatNumber(key.sealed)}${key.capped ? '+' : ''}` })}
            </span>
          </Line>
        ))}
      </Kind>
      <Kind kind="signing" onRotate={setRotating}>
        {(data?.signing_keys ?? []).map((key) => (
          <Line key={key.kid} id={key.kid} time={key.created_time}>
            <Pill tone={signingTone(key)}>{signingWords(key)}</Pill>
          </Line>
        ))}
      </Kind>
      <Kind kind="proof" onRotate={setRotating}>
        {(proof?.keys ?? []).toReversed().map((key) => (
          <Line key={key.key_id} id={key.key_id} time={key.created_time}>
            <Pill tone={key.key_id === proof?.key_id ? 'good' : 'idle'}>
              {t(key.key_id === proof?.key_id ? 'keyState.current' : 'keys.older')}
            </Pill>
          </Line>
        ))}
      </Kind>
      {rotating === undefined ? null : (
        <RotateKeys kind={rotating} onClose={() => setRotating(undefined)} />
      )}
    </Card>
  );
}

interface SigningKey {
  readonly retired_time: string | null;
  readonly revoked_time: string | null;
}

function signingTone({ retired_time: retired, revoked_time: revoked }: SigningKey) {
  if (revoked !== null) return 'bad';
  return retired === null ? 'good' : 'idle';
}

function signingWords({ retired_time: retired, revoked_time: revoked }: SigningKey): string {
  if (revoked !== null) return t('revoked');
  return t(retired === null ? 'keyState.current' : 'keys.retired');
}

interface KindProps {
  readonly kind: KeyKind;
  readonly onRotate: (kind: KeyKind) => void;
  readonly children: ReactNode;
}

function Kind({ kind, onRotate, children }: KindProps) {
  const isAdmin = useMay('admin');
  return (
    <div className="border-t first:border-t-0">
      <div className="flex min-h-10 items-center justify-between gap-3 px-4 pt-2">
        <h3 className="eyebrow">{tName('keys', kind)}</h3>
        {isAdmin ? (
          <Button
            size="small"
            look="quiet"
            icon="key"
            aria-label={tName('keys.rotateKind', kind)}
            onClick={() => onRotate(kind)}
          >
            {t('keys.rotate')}
          </Button>
        ) : null}
      </div>
      <ul className="divide-y">{children}</ul>
    </div>
  );
}

interface LineProps {
  readonly id: string;
  readonly time: string | null;
  readonly children: ReactNode;
}

function Line({ id, time, children }: LineProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-0.5 px-4 py-2">
      <span className="mono max-w-full truncate" title={id}>
        {id.length > MAX_SHOWN ? `${id.slice(0, MAX_SHOWN)}…` : id}
      </span>
      {children}
      <span className="ml-auto text-sm text-ink-2">
        <Time iso={time} />
      </span>
    </li>
  );
}
