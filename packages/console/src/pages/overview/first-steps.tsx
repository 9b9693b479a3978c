// An empty installation: three steps to the first erasure, each ticked off when it is done.
import type { FirstStep } from '../../api/overview-types.ts';
import { Mark } from '../../components/status.tsx';
import { t } from '../../words/t.ts';

export function FirstSteps({
  steps,
  className,
}: {
  steps: readonly FirstStep[];
  className: string;
}) {
  const done = steps.filter((step) => step.done).length;
  const next = steps.findIndex((step) => !step.done);
  return (
    <section className={`card overflow-hidden ${className}`}>
      <header className="flex flex-wrap items-baseline justify-between gap-2 border-b bg-accent-soft px-4 py-3">
        <h2 className="text-lg font-semibold">{t('steps.title')}</h2>
        <p className="numbers text-sm text-accent-strong">
          {t('steps.done', { done, all: steps.length })}
        </p>
      </header>
      <ol className="grid gap-px bg-line md:grid-cols-3">
        {steps.map((step, index) => (
          <li
            key={step.step}
            {...(index === next && { 'aria-current': 'step' as const })}
            className={`flex gap-3 px-4 py-4 ${index === next ? 'bg-surface' : 'bg-page'}`}
          >
            <span className="flex size-6 shrink-0 items-center justify-center rounded-full border border-edge text-xs font-semibold">
              {step.done ? <Mark tone="good" shape="check" /> : index + 1}
            </span>
            <div className="min-w-0">
              <h3 className={`font-semibold ${step.done ? 'text-ink-2 line-through' : ''}`}>
                {step.title}
                {step.done ? <span className="sr-only"> {t('steps.isDone')}</span> : null}
              </h3>
              <p className="mt-1 text-sm break-words whitespace-pre-wrap text-ink-2">{step.how}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
