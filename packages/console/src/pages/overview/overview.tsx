// First what needs attention, then how everything is going.
import { useQuery } from '@tanstack/react-query';
import type { Overview } from '../../api/overview-types.ts';
import { overviewQuery } from '../../api/queries.ts';
import { Failure } from '../../components/failure.tsx';
import { Page } from '../../components/page.tsx';
import { exactTime } from '../../components/time.tsx';
import { t } from '../../words/t.ts';
import { Alarms } from './alarms.tsx';
import { Attention } from './attention.tsx';
import { Deadlines } from './deadlines.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Glance } from './glance.tsx';
import { OverviewSkeleton } from './overview-skeleton.tsx';
import { PauseButton } from './pause-button.tsx';
import { RequestCounts } from './request-counts.tsx';
import { TargetStates } from './target-states.tsx';
import { Trends } from './trends.tsx';

export function OverviewPage() {
  const { data, error, refetch } = useQuery(overviewQuery);
  return (
    <Page
      title={t('nav.overview')}
      lead={
        data === undefined ? t('overview.lead') : t('overview.asOf', { time: exactTime(data.now) })
      }
      actions={data === undefined ? null : <PauseButton paused={data.paused} />}
    >
      {error === null ? null : (
        <div className={data === undefined ? '' : 'mb-4'}>
          <Failure error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {data === undefined && error === null ? <OverviewSkeleton /> : null}
      {data === undefined ? null : (
        <div className="grid grid-cols-1 gap-4 lg:grid-cols-3 lg:gap-5">
          {data.first_steps === null ? null : (
            <FirstSteps
              first={data.first_steps}
              attention={data.attention}
              className="lg:col-span-3"
            />
          )}
          <Glance overview={data} className="lg:col-span-3" />
          {data.first_steps !== null && data.first_steps.request === null ? null : (
            <Everything overview={data} />
          )}
        </div>
      )}
    </Page>
  );
}

/** Shown once there is a request. */
function Everything({ overview }: { overview: Overview }) {
  return (
    <>
      <div className="flex min-w-0 flex-col gap-4 lg:col-span-2 lg:gap-5">
        <Attention attention={overview.attention} now={overview.now} />
        <Deadlines deadlines={overview.deadlines} />
      </div>
      <div className="flex min-w-0 flex-col gap-4 lg:gap-5">
        <TargetStates />
        <RequestCounts requests={overview.requests} />
        <Alarms alarms={overview.alarms} />
      </div>
      <Trends className="lg:col-span-3" />
    </>
  );
}
