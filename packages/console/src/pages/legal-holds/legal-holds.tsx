// Legal holds: on which people and requests they are, and lifting one.
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { legalHoldsQuery } from '../../api/queries.ts';
import type { LegalHold } from '../../api/request-types.ts';
import { useMay } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Empty, Failure, Loading } from '../../components/failure.tsx';
import { Page } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { t } from '../../words/t.ts';
import { LiftHold } from './lift-hold.tsx';
import { PlaceHold } from './place-hold.tsx';

export function LegalHoldsPage() {
  const { all, controller } = useSearch({ from: '/legal-holds' });
  const { data, error, refetch } = useQuery(legalHoldsQuery({ all, controller }));
  const [placing, setPlacing] = useState(false);
  const mayPlace = useMay('operator');
  return (
    <Page
      title={t('legalHold.title')}
      lead={t('legalHold.lead')}
      back={{ to: '/requests', label: t('nav.requests') }}
      actions={
        mayPlace ? (
          <Button icon="plus" look="primary" onClick={() => setPlacing(true)}>
            {t('legalHold.place')}
          </Button>
        ) : null
      }
    >
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      <div className="card">
        {data === undefined && error === null ? <Loading rows={4} /> : null}
        {data?.items.length === 0 ? (
          <Empty title={t('legalHold.none')}>{t('legalHold.none.more')}</Empty>
        ) : null}
        <ul className="divide-y">
          {data?.items.map((hold) => (
            <Line key={hold.hold} hold={hold} mayLift={mayPlace} />
          ))}
        </ul>
      </div>
      {all === undefined ? (
        <Link to="/legal-holds" search={{ all: 'true' }} className="link mt-3 inline-block text-sm">
          {t('legalHold.all')}
        </Link>
      ) : null}
      {placing ? <PlaceHold onClose={() => setPlacing(false)} /> : null}
    </Page>
  );
}

function Line({ hold, mayLift }: { hold: LegalHold; mayLift: boolean }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-4 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="numbers text-ink-3">{hold.hold}</span>
          <On hold={hold} />
          <span className="text-ink-2">{hold.controller_id}</span>
        </p>
        <p className="break-words text-ink-2">{hold.reason}</p>
      </div>
      <p className="w-56 min-w-0 text-sm break-words text-ink-2">
        <Time iso={hold.placed_time} /> · <span className="mono">{hold.placed_by}</span>
        <br />
        <End hold={hold} />
      </p>
      <div className="ml-auto flex w-16 justify-end">
        {mayLift && hold.ended_time === null ? <LiftHold hold={hold} /> : null}
      </div>
    </li>
  );
}

function On({ hold }: { hold: LegalHold }) {
  const { controller_id: controllerId, subject_request_id: requestId } = hold;
  if (requestId === null) return <span className="font-medium">{t('legalHold.person')}</span>;
  return (
    <Link
      to="/requests/$controllerId/$requestId"
      params={{ controllerId, requestId }}
      className="mono font-medium hover:underline"
    >
      {requestId.slice(0, 8)}
    </Link>
  );
}

function End({ hold }: { hold: LegalHold }) {
  const { ended_time: ended, ended_by: by, until } = hold;
  if (ended !== null) {
    return (
      <>
        {t('legalHold.ended')} <Time iso={ended} />{' '}
        {by === 'system' ? t('legalHold.endedBySystem') : t('legalHold.endedBy', { by: by ?? '' })}
      </>
    );
  }
  if (until === null) return t('legalHold.untilLifted');
  return (
    <>
      {t('legalHold.untilTime')} <Time iso={until} />
    </>
  );
}
