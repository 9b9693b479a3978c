import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { targetsQuery } from '../../api/queries.ts';
import type { TargetLine } from '../../api/target-types.ts';
import { Card } from '../../components/card.tsx';
import { Empty, Failure, Loading } from '../../components/failure.tsx';
import { TargetStateMark } from '../../components/status.tsx';
import { formatNumber, t } from '../../words/t.ts';

const SHOWN = 8;
/** Targets that do not work come first. */
const ORDER = ['down', 'refused', 'paused', 'removed', 'manual', 'up'];

export function TargetStates() {
  const { data, error, refetch } = useQuery(targetsQuery);
  const items = (data?.items ?? []).toSorted(
    (a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || a.name.localeCompare(b.name),
  );
  return (
    <Card
      flush
      title={t('nav.targets')}
      aside={
        <Link to="/targets" className="link">
          {t('all')}
        </Link>
      }
    >
      {data === undefined && error === null ? <Loading /> : null}
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data?.items.length === 0 ? (
        <Empty title={t('targets.none')}>{t('targets.none.more')}</Empty>
      ) : (
        <ul className="divide-y">
          {items.slice(0, SHOWN).map((target) => (
            <Line key={target.name} target={target} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Line({ target }: { target: TargetLine }) {
  const { waiting, running, failed, held, capped } = target.backlog;
  const open = waiting + running + failed + held;
  return (
    <li>
      <Link
        to="/targets/$name"
        params={{ name: target.name }}
        className="flex items-center justify-between gap-3 px-4 py-2 hover:bg-hover"
      >
        <span className="min-w-0">
          <span className="block truncate font-medium">{target.name}</span>
          <span
            className="numbers block truncate text-xs text-ink-3"
            title={target.trouble?.detail}
          >
            {open === 0
              ? t('targets.idle')
              : t('targets.open', { count: `${formatNumber(open)}${capped ? '+' : ''}` })}
          </span>
        </span>
        <TargetStateMark state={target.state} />
      </Link>
    </li>
  );
}
