import type { TaskState } from '../../api/request-types.ts';
import type { TargetLine } from '../../api/target-types.ts';
import { TaskStateMark } from '../../components/status.tsx';
import { formatNumber, t } from '../../words/t.ts';

const STATES = ['held', 'failed', 'running', 'waiting'] as const satisfies readonly TaskState[];

export function Backlog({ backlog }: { backlog: TargetLine['backlog'] }) {
  const open = STATES.filter((state) => backlog[state] > 0);
  return (
    <div>
      <p className="eyebrow mb-1">{t('target.backlog')}</p>
      {open.length === 0 ? <p className="text-ink-2">{t('targets.idle')}</p> : null}
      <ul>
        {open.map((state) => (
          <li key={state} className="flex items-center justify-between gap-2">
            <TaskStateMark state={state} />
            <span className="numbers text-ink-2">
              {formatNumber(backlog[state])}
              {backlog.capped ? '+' : ''}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
