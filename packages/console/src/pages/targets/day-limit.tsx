// Rows erased here today, as a share of the daily limit.
import type { TargetLine } from '../../api/target-types.ts';
import { formatNumber, t, tn } from '../../words/t.ts';

const NEARLY = 0.8;

export function DayLimit({ today }: { today: TargetLine['today'] }) {
  const { rows, tasks, max_rows_per_day: max } = today;
  const used = max === null ? 0 : Math.min(1, rows / max);
  return (
    <div className="min-w-0">
      <p className="eyebrow mb-1">{t('target.today')}</p>
      <p className="numbers">{tn('target.rows', rows)}</p>
      <p className="numbers text-sm text-ink-2">{tn('target.tasks', tasks)}</p>
      {max === null ? null : (
        <>
          <div className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-sunken ring-1 ring-line ring-inset">
            <div
              className={`bar h-full rounded-full ${used >= NEARLY ? 'bg-warn' : 'bg-accent'}`}
              style={{ width: `${(used * 100).toFixed(1)}%` }}
            />
          </div>
          <p className="numbers mt-1 text-xs text-ink-3">
            {t('target.limit', { max: formatNumber(max) })}
          </p>
        </>
      )}
    </div>
  );
}
