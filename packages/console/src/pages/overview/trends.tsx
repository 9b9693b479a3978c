// Arrivals, completions and how long they took, day by day.
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { statisticsQuery } from '../../api/queries.ts';
import { Card } from '../../components/card.tsx';
import { Chart, type Series } from '../../components/chart.tsx';
import { Empty, Failure, Loading } from '../../components/failure.tsx';
import { FilterSelect } from '../../components/field.tsx';
import { t, tn } from '../../words/t.ts';

const RANGES = ['14', '30', '90'] as const;

function formatHours(hours: number): string {
  return hours < 72
    ? t('hours.short', { hours: Math.round(hours) })
    : t('days.short', { days: Math.round(hours / 24) });
}

export function Trends({ className }: { className: string }) {
  const [range, setRange] = useState<string>('30');
  const { data, error, refetch } = useQuery(statisticsQuery(Number(range)));
  const drawn = useMemo(() => {
    const all = data?.days ?? [];
    const series = (
      label: string,
      values: Series['values'],
      look: Omit<Series, 'label' | 'values'>,
    ) => ({
      label,
      values,
      ...look,
    });
    return {
      days: all.map(({ day }) => day),
      counts: [
        series(
          t('trends.arrived'),
          all.map(({ arrived }) => arrived),
          { colour: '--edge', kind: 'bars' },
        ),
        series(
          t('trends.completed'),
          all.map(({ completed }) => completed),
          { colour: '--accent', kind: 'line' },
        ),
      ],
      times: [
        series(
          t('trends.median'),
          all.map(({ completion_hours: it }) => it?.median ?? null),
          { colour: '--accent', kind: 'line' },
        ),
        series(
          t('trends.p90'),
          all.map(({ completion_hours: it }) => it?.p90 ?? null),
          { colour: '--warn', kind: 'line', dashed: true },
        ),
      ],
    };
  }, [data]);
  const hasTimes = data?.days.some(({ completion_hours: it }) => it !== null) ?? false;
  const select = (
    <FilterSelect
      label={t('trends.range')}
      className="w-auto"
      value={range}
      onChange={({ target }) => setRange(target.value)}
      options={RANGES.map((days) => [days, tn('trends.days', Number(days))] as const)}
    />
  );
  return (
    <div className={`grid gap-4 lg:grid-cols-2 lg:gap-5 ${className}`}>
      <Card title={t('trends.counts')} aside={select}>
        {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null ? <Loading rows={5} /> : null}
        {data === undefined ? null : (
          <Chart label={t('trends.counts')} days={drawn.days} series={drawn.counts} />
        )}
      </Card>
      <Card title={t('trends.times')} aside={t('trends.times.aside')}>
        {data === undefined && error === null ? <Loading rows={5} /> : null}
        {data !== undefined && !hasTimes ? (
          <Empty title={t('trends.times.none')}>{t('trends.times.none.more')}</Empty>
        ) : null}
        {data === undefined || !hasTimes ? null : (
          <Chart
            label={t('trends.times')}
            days={drawn.days}
            series={drawn.times}
            format={formatHours}
          />
        )}
      </Card>
    </div>
  );
}
