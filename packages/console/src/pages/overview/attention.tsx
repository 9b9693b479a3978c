// What needs a decision, grouped by what to do, each with a button for it.
import { Link } from '@tanstack/react-router';
import type { AttentionGroup, Overview } from '../../api/overview-types.ts';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/failure.tsx';
import { Mark } from '../../components/status.tsx';
import { formatNumber, t, tName } from '../../words/t.ts';
import { AttentionRow } from '../requests/attention-row.tsx';

const URGENT = new Set(['target_down', 'retry']);

export function Attention({ attention }: { attention: Overview['attention']; now: string }) {
  return (
    <Card
      flush
      title={t('attention.title')}
      aside={
        attention.total === 0 ? null : (
          <Link to="/attention" className="link">
            {t('attention.all')}
          </Link>
        )
      }
    >
      {attention.groups.length === 0 ? (
        <Empty title={t('attention.none')}>{t('attention.none.more')}</Empty>
      ) : (
        attention.groups.map((group) => <Group key={group.what} group={group} />)
      )}
    </Card>
  );
}

function Group({ group }: { group: AttentionGroup }) {
  const urgent = URGENT.has(group.what);
  return (
    <section className="border-b last:border-b-0">
      <header className="flex flex-wrap items-center gap-x-2 gap-y-0.5 bg-sunken/50 px-4 py-2">
        <Mark tone={urgent ? 'bad' : 'warn'} shape={urgent ? 'triangle' : 'diamond'} />
        <h3 className="text-sm font-semibold">{group.title}</h3>
        <span className="numbers text-sm text-ink-2">
          {formatNumber(group.count)}
          {group.capped ? '+' : ''}
        </span>
        <span className="hidden truncate text-sm text-ink-3 sm:inline">
          {group.reasons.map(({ reason }) => tName('reason', reason).toLowerCase()).join(', ')}
        </span>
        {group.count > group.items.length ? (
          <Link to="/attention" search={{ what: group.what }} className="link ml-auto text-sm">
            {t('attention.more', { count: formatNumber(group.count) })}
          </Link>
        ) : null}
      </header>
      <ul className="divide-y">
        {group.items.map((item) => (
          <AttentionRow key={`${item.subject_request_id} ${item.task}`} item={item} />
        ))}
      </ul>
    </section>
  );
}
