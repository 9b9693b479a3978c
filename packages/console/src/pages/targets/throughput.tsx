import { useMemo } from 'react';
import type { ThroughputDay } from '../../api/target-types.ts';
import { Card } from '../../components/card.tsx';
import { Chart, type Series } from '../../components/chart.tsx';
import { t } from '../../words/t.ts';

export function Throughput({ days }: { days: readonly ThroughputDay[] }) {
  const drawn = useMemo(() => {
    const series: Series[] = [
      {
        label: t('target.rowsErased'),
        colour: '--edge',
        kind: 'bars',
        values: days.map(({ rows }) => rows),
      },
      {
        label: t('target.tasksDone'),
        colour: '--accent',
        kind: 'line',
        values: days.map(({ tasks }) => tasks),
      },
    ];
    return { days: days.map(({ day }) => day), series };
  }, [days]);
  if (days.length === 0) return null;
  return (
    <Card title={t('target.throughput')} aside={t('target.throughput.aside')}>
      <Chart label={t('target.throughput')} days={drawn.days} series={drawn.series} />
    </Card>
  );
}
