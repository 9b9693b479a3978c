// What has happened and what comes next, from the arrival to the receipt.
import type { TimelineStep } from '../../api/request-types.ts';
import { Mark } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { t } from '../../words/t.ts';

export function Timeline({ steps }: { steps: readonly TimelineStep[] }) {
  return (
    <ol>
      {steps.map((step, index) => (
        <li
          key={`${step.step} ${step.target ?? ''} ${step.time ?? index}`}
          className="relative flex gap-3 pb-4 last:pb-0"
        >
          {index < steps.length - 1 ? (
            <span
              aria-hidden="true"
              className={`absolute top-5 bottom-0 left-[6.5px] w-px ${step.done ? 'bg-edge' : 'bg-line'}`}
            />
          ) : null}
          <span className="pt-1">
            <Mark tone={toneOf(step)} shape={shapeOf(step)} />
          </span>
          <div className="min-w-0 flex-1">
            <p className={step.done ? '' : 'text-ink-2'}>
              {step.words}
              {step.done ? null : <span className="sr-only"> {t('timeline.notYet')}</span>}
            </p>
            {step.time === null ? null : <Time iso={step.time} className="text-xs text-ink-3" />}
          </div>
        </li>
      ))}
    </ol>
  );
}

function toneOf({ step, done }: TimelineStep) {
  if (!done || step === 'cancelled') return 'idle';
  return step === 'completed' || step === 'receipt' || step === 'target' ? 'good' : 'accent';
}

function shapeOf({ step, done }: TimelineStep) {
  if (!done) return 'dotted';
  if (step === 'cancelled') return 'slash';
  return step === 'completed' || step === 'receipt' || step === 'target' ? 'check' : 'dot';
}
