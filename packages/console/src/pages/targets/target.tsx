// One target: its plan as a graph, the findings of its check, its backlog and its history.
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { targetQuery } from '../../api/queries.ts';
import type { TargetPage } from '../../api/target-types.ts';
import { Card, Facts } from '../../components/card.tsx';
import { Failure, Loading } from '../../components/failure.tsx';
import { Page } from '../../components/page.tsx';
import { Mark, Pill, TargetStateMark } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber, t, tName, tn } from '../../words/t.ts';
import { AlarmLine } from '../alarms/alarm-line.tsx';
import { Backlog } from './backlog.tsx';
import { CheckCards } from './check.tsx';
import { DayLimit } from './day-limit.tsx';
import { TargetActions } from './target-actions.tsx';
import { Throughput } from './throughput.tsx';

export function TargetPageView() {
  const { name } = useParams({ from: '/targets/$name' });
  const { data, error, refetch } = useQuery(targetQuery(name));
  return (
    <Page
      title={name}
      back={{ to: '/targets', label: t('nav.targets') }}
      lead={data === undefined ? null : <Lead target={data} />}
      actions={data === undefined ? null : <TargetActions target={data} />}
    >
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Loading rows={8} /> : null}
      {data === undefined ? null : <Body target={data} />}
    </Page>
  );
}

function Lead({ target }: { target: TargetPage }) {
  return (
    <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
      <TargetStateMark state={target.state} pill />
      {target.mode === 'preview' ? <Pill tone="warn">{t('target.previewMode')}</Pill> : null}
      {target.state === 'manual' ? null : <span>{tName('connector', target.connector)}</span>}
      {target.pause === null ? null : (
        <span>
          {t('target.pausedBy', { by: target.pause.paused_by })}{' '}
          <Time iso={target.pause.paused_time} />
        </span>
      )}
    </span>
  );
}

function Body({ target }: { target: TargetPage }) {
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-5">
      <div className="flex min-w-0 flex-col gap-4 lg:gap-5">
        {target.trouble === null ? null : <Trouble trouble={target.trouble} />}
        {target.connector === 'manual' ? null : <CheckCards target={target} />}
        <Throughput days={target.throughput} />
        <Errors target={target} />
      </div>
      <div className="flex min-w-0 flex-col gap-4 lg:gap-5">
        <Card
          title={t('target.now')}
          aside={
            <Link to="/attention" search={{ target: target.name }} className="link">
              {t('target.stuck')}
            </Link>
          }
        >
          <div className="flex flex-col gap-4">
            <Backlog backlog={target.backlog} />
            <DayLimit today={target.today} />
          </div>
        </Card>
        <Card title={t('target.settings')}>
          <Facts items={settingsOf(target)} />
        </Card>
      </div>
    </div>
  );
}

function settingsOf(target: TargetPage): [string, React.ReactNode][] {
  const { limits } = target;
  return [
    [t('target.hours'), target.hours ?? t('target.always')],
    [t('target.tenancy'), target.tenancy ?? t('none')],
    [t('target.maxRows'), formatNumber(limits.max_rows_per_subject)],
    [
      t('target.maxRowsPerDay'),
      target.today.max_rows_per_day === null
        ? t('target.noLimit')
        : formatNumber(target.today.max_rows_per_day),
    ],
    [t('target.batchSize'), formatNumber(limits.batch_size)],
    [t('target.concurrency'), formatNumber(limits.concurrency)],
    [t('target.whenUnmatched'), tName('whenUnmatched', limits.when_unmatched)],
    [t('target.controllers'), target.controllers?.join(', ') ?? t('target.everyController')],
  ];
}

function Trouble({ trouble }: { trouble: NonNullable<TargetPage['trouble']> }) {
  return (
    <section className="card flex gap-3 border-bad/40 bg-bad-soft p-4">
      <span className="pt-1">
        <Mark tone="bad" shape="triangle" />
      </span>
      <div className="min-w-0">
        <p className="font-semibold text-bad">{tName('reason', trouble.code)}</p>
        <p className="mt-0.5 break-words">{trouble.detail}</p>
        <p className="mt-1 text-sm text-ink-2">
          {tn('target.failures', trouble.failures)} <Time iso={trouble.since} /> ·{' '}
          {t('target.nextTry')} <Time iso={trouble.next_try} />
        </p>
      </div>
    </section>
  );
}

function Errors({ target }: { target: TargetPage }) {
  if (target.errors.length === 0) return null;
  return (
    <Card
      flush
      title={t('target.errors')}
      aside={
        <Link to="/alarms" search={{ target: target.name }} className="link">
          {t('all')}
        </Link>
      }
    >
      <ul className="divide-y">
        {target.errors.map((alarm) => (
          <AlarmLine key={alarm.alarm} alarm={alarm} />
        ))}
      </ul>
    </Card>
  );
}
