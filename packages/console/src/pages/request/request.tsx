// Everything about one request: its state, what was done where, what to decide, and the proof.
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { requestQuery } from '../../api/queries.ts';
import type { LegalHold, RequestPage } from '../../api/request-types.ts';
import { useMay } from '../../api/session.ts';
import { Card, Facts } from '../../components/card.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { DeadlineClock } from '../../components/deadline.tsx';
import { Failure, Loading } from '../../components/failure.tsx';
import { Page } from '../../components/page.tsx';
import { RequestStatusMark } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { t, tName } from '../../words/t.ts';
import { LiftHold } from '../legal-holds/lift-hold.tsx';
import { RequestActions } from './actions.tsx';
import { History } from './history.tsx';
import { Identities } from './identities.tsx';
import { Receipts } from './receipts.tsx';
import { Task } from './task.tsx';
import { Timeline } from './timeline.tsx';

export function RequestPageView() {
  const { controllerId, requestId } = useParams({ from: '/requests/$controllerId/$requestId' });
  const name = { controller_id: controllerId, subject_request_id: requestId };
  const { data, error, refetch } = useQuery(requestQuery(name));
  return (
    <Page
      name={requestId.slice(0, 8)}
      title={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="mono text-lg font-semibold break-all sm:text-xl">{requestId}</span>
          <CopyButton text={requestId} label={t('request.id')} />
        </span>
      }
      back={{ to: '/requests', label: t('nav.requests') }}
      lead={data === undefined ? null : <Lead request={data} />}
      actions={data === undefined ? null : <RequestActions request={data} />}
    >
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Loading rows={8} /> : null}
      {data === undefined ? null : <Body request={data} />}
    </Page>
  );
}

function Lead({ request }: { request: RequestPage }) {
  return (
    <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
      <RequestStatusMark status={request.request_status} pill />
      <Link
        to="/controllers/$controllerId"
        params={{ controllerId: request.controller_id }}
        className="link"
      >
        {request.controller_id}
      </Link>
      <span>{tName('regulation', request.regulation)}</span>
      <span>
        {t('received').toLowerCase()} <Time iso={request.received_time} />
      </span>
    </span>
  );
}

/** The statutory time begins with the submission, if that was before the request was received here. */
function startOfLaw({ submitted_time: submitted, received_time: received }: RequestPage): string {
  return Date.parse(submitted) < Date.parse(received) ? submitted : received;
}

function OnHold({ hold }: { hold: LegalHold }) {
  const mayLift = useMay('operator');
  return (
    <section
      aria-label={t('legalHold.title')}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-[7px] bg-warn-soft px-4 py-3"
    >
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-semibold text-warn">{t('legalHold.banner', { hold: hold.hold })}</p>
        <p className="break-words">
          {hold.reason} ·{' '}
          {hold.until === null ? (
            t('legalHold.untilLifted')
          ) : (
            <>
              {t('legalHold.untilTime')} <Time iso={hold.until} />
            </>
          )}
        </p>
      </div>
      {mayLift ? <LiftHold hold={hold} /> : null}
    </section>
  );
}

function Body({ request }: { request: RequestPage }) {
  const ended = request.completed_time ?? request.cancelled_time;
  const open = request.tasks.filter(({ state }) => state !== 'erased');
  const done = request.tasks.filter(({ state }) => state === 'erased');
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-5">
      <div className="flex min-w-0 flex-col gap-4 lg:gap-5">
        {request.legal_holds.map((hold) => (
          <OnHold key={hold.hold} hold={hold} />
        ))}
        {[...open, ...done].map((task) => (
          <Task key={task.task} task={task} />
        ))}
        {request.tasks.length === 0 ? (
          <Card title={t('nav.targets')}>
            <p className="text-ink-2">
              {t(
                request.request_status === 'cancelled'
                  ? 'request.neverStarted'
                  : 'request.notStarted',
              )}
            </p>
          </Card>
        ) : null}
        <History request={request} />
      </div>
      <div className="flex min-w-0 flex-col gap-4 lg:gap-5">
        <Card title={t('deadlines.title')}>
          <div className="flex flex-col gap-4">
            <DeadlineClock
              label={t('deadline.expected')}
              from={request.received_time}
              deadline={request.expected_completion_time}
              ended={ended}
            />
            <DeadlineClock
              label={t('deadline.statutory')}
              from={startOfLaw(request)}
              deadline={request.statutory_deadline}
              ended={ended}
            />
          </div>
        </Card>
        <Card title={t('timeline.title')}>
          <Timeline steps={request.timeline} />
        </Card>
        <Receipts request={request} />
        <Identities request={request} />
        <Card title={t('request.facts')}>
          <Facts
            items={[
              [t('request.submitted'), <Time key="submitted" iso={request.submitted_time} />],
              [
                t('request.createdBy'),
                <span key="by" className="mono">
                  {request.created_by}
                </span>,
              ],
            ]}
          />
        </Card>
      </div>
    </div>
  );
}
