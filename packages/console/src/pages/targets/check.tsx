// The findings of the target's check, each with the line to add to the configuration, and the resulting plan.

import { useMay } from '../../api/session.ts';
import type { Check, TargetPage } from '../../api/target-types.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/failure.tsx';
import { LevelMark } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { t, tn } from '../../words/t.ts';
import { PlanGraphView } from './plan-graph.tsx';

export function CheckCards({ target }: { target: TargetPage }) {
  const check = useAction<Check>();
  const mayCheck = useMay('operator');
  const shown = check.data ?? target.last_check;
  const path = `/targets/${encodeURIComponent(target.name)}/check`;
  const button = mayCheck ? (
    <Button
      size="small"
      icon="refresh"
      busy={check.isPending}
      onClick={() => check.mutate({ path, done: '' })}
    >
      {t('check.button')}
    </Button>
  ) : null;
  return (
    <>
      {shown?.plan == null ? null : (
        <Card flush title={t('plan.title')} aside={t('plan.aside')}>
          <PlanGraphView plan={shown.plan} />
        </Card>
      )}
      <Card flush title={t('check.title')} aside={button}>
        {shown === null ? (
          <Empty title={t('check.none')}>{t('check.none.more')}</Empty>
        ) : (
          <Findings check={shown} />
        )}
      </Card>
    </>
  );
}

function Findings({ check }: { check: Check }) {
  const { lines } = check;
  const problems = lines.filter(({ level }) => level === 'problem').length;
  return (
    <>
      <p className="border-b px-4 py-2 text-sm text-ink-2">
        {problems === 0 ? t('check.passed') : tn('check.problems', problems)} ·{' '}
        <Time iso={check.checked_time} />
      </p>
      <ul className="divide-y">
        {lines.map((line) => (
          <li
            key={`${line.subject} ${line.message}`}
            className="flex flex-col gap-x-4 gap-y-0.5 px-4 py-2 sm:flex-row"
          >
            <span className="w-24 shrink-0">
              <LevelMark level={line.level} />
            </span>
            <span className="min-w-0">
              <span className="mono text-sm text-ink-2">{line.subject}</span>
              <span className="block break-words whitespace-pre-wrap">{line.message}</span>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
