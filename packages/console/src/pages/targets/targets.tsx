// The systems that people are erased from: whether each works, and what waits there.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { targetsQuery } from '../../api/queries.ts';
import type { TargetLine } from '../../api/target-types.ts';
import { Empty, Failure, Loading } from '../../components/failure.tsx';
import { Page } from '../../components/page.tsx';
import { Pill, TargetStateMark } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber, t, tName } from '../../words/t.ts';
import { Backlog } from './backlog.tsx';
import { DayLimit } from './day-limit.tsx';

export function TargetsPage() {
  const { data, error, refetch } = useQuery(targetsQuery);
  return (
    <Page title={t('nav.targets')} lead={t('targets.lead')}>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Loading rows={6} /> : null}
      {data?.items.length === 0 ? (
        <div className="card">
          <Empty title={t('targets.none')}>{t('targets.none.more')}</Empty>
        </div>
      ) : null}
      <ul className="grid grid-cols-1 gap-4 lg:grid-cols-2 2xl:grid-cols-3">
        {(data?.items ?? []).map((target) => (
          <TargetCard key={target.name} target={target} />
        ))}
      </ul>
    </Page>
  );
}

function TargetCard({ target }: { target: TargetLine }) {
  return (
    <li className="card relative flex min-w-0 flex-col hover:border-edge">
      <div className="flex items-start justify-between gap-3 px-4 pt-3.5">
        <div className="min-w-0">
          <h2 className="truncate text-lg font-semibold">
            <Link
              to="/targets/$name"
              params={{ name: target.name }}
              className="after:absolute after:inset-0 after:rounded-[10px]"
            >
              {target.name}
            </Link>
          </h2>
          <p className="text-sm text-ink-2">
            {tName('connector', target.connector)}
            {target.hours === null ? '' : ` · ${target.hours}`}
          </p>
        </div>
        <div className="flex flex-col items-end gap-1">
          <TargetStateMark state={target.state} pill />
          {target.mode === 'preview' ? <Pill tone="warn">{t('target.previewMode')}</Pill> : null}
          {target.open_now ? null : <Pill tone="idle">{t('target.closed')}</Pill>}
        </div>
      </div>
      {target.trouble === null ? null : (
        <p className="mx-4 mt-3 rounded-[7px] bg-bad-soft px-3 py-2 text-sm">
          <span className="break-words">{target.trouble.detail}</span>
          <span className="block text-ink-2">
            {t('target.nextTry')} <Time iso={target.trouble.next_try} />
          </span>
        </p>
      )}
      <div className="mt-auto grid grid-cols-2 gap-4 px-4 py-4">
        <Backlog backlog={target.backlog} />
        <DayLimit today={target.today} />
      </div>
      {target.controllers === null ? null : (
        <p className="truncate border-t px-4 py-2 text-sm text-ink-3">
          {t('target.only', {
            controllers: target.controllers.slice(0, 5).join(', '),
            count: formatNumber(target.controllers.length),
          })}
        </p>
      )}
    </li>
  );
}
