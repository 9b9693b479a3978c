// An empty installation: three steps to the first erasure, each ticked off when it is done, then the erasure.
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { FirstStep, Overview, FirstSteps as Steps } from '../../api/overview-types.ts';
import { useMay } from '../../api/session.ts';
import { BUTTON, BUTTON_LOOKS, BUTTON_SIZES, Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Mark, RequestStatusMark } from '../../components/status.tsx';
import { t } from '../../words/t.ts';
import { NewController } from '../controllers/new-controller.tsx';

const EXAMPLE = `targets:
  shop:
    connector: postgres
    url: \${SHOP_DATABASE_URL}
    mode: preview # counts, and erases when you release
    tenant_column: account # holds the controller's id
    tables:
      - table: orders
        via: { customers: { customer_id: id } }
      - table: customers
        match: { email: email }`;
const LINK_BUTTON = `${BUTTON} ${BUTTON_LOOKS.primary} ${BUTTON_SIZES.usual}`;

interface FirstStepsProps {
  readonly first: Steps;
  /** Contains what stops the first request, if anything does. */
  readonly attention: Overview['attention'];
  readonly className: string;
}

export function FirstSteps({ first, attention, className }: FirstStepsProps) {
  const { steps } = first;
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
      <ol className="divide-y">
        {steps.map((step, index) => (
          <Step key={step.step} step={step} number={index + 1} isNext={index === next}>
            {step.step === 'client' && !step.done ? <MakeClient /> : null}
            {step.step === 'target' && !step.done ? (
              <CodeBlock code={EXAMPLE} label={t('steps.target.example')} />
            ) : null}
            {step.step === 'request' ? <FirstRequest first={first} attention={attention} /> : null}
          </Step>
        ))}
      </ol>
    </section>
  );
}

interface StepProps {
  readonly step: FirstStep;
  readonly number: number;
  readonly isNext: boolean;
  readonly children: ReactNode;
}

function Step({ step, number, isNext, children }: StepProps) {
  return (
    <li
      {...(isNext && { 'aria-current': 'step' as const })}
      className="grid gap-x-8 gap-y-3 px-4 py-4 lg:grid-cols-2"
    >
      <div className="flex min-w-0 gap-3">
        <span
          className={`flex size-6 shrink-0 items-center justify-center rounded-full border text-xs font-semibold ${isNext ? 'border-accent bg-accent text-on-accent' : 'border-edge'}`}
        >
          {step.done ? <Mark tone="good" shape="check" /> : number}
        </span>
        <div className="min-w-0">
          <h3 className={`font-semibold ${step.done ? 'text-ink-2' : ''}`}>
            {step.title}
            {step.done ? <span className="sr-only"> {t('steps.isDone')}</span> : null}
          </h3>
          {step.done ? null : <p className="mt-1 text-sm break-words text-ink-2">{step.how}</p>}
        </div>
      </div>
      <div className="min-w-0 pl-9 lg:pl-0">{children}</div>
    </li>
  );
}

function MakeClient() {
  const [creating, setCreating] = useState(false);
  const mayCreate = useMay('admin');
  const navigate = useNavigate();
  if (!mayCreate) return null;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button icon="plus" look="primary" onClick={() => setCreating(true)}>
        {t('controllers.new')}
      </Button>
      <Link to="/controllers" className="link text-sm">
        {t('nav.controllers')}
      </Link>
      {creating ? (
        <NewController
          onClose={() => setCreating(false)}
          onCreated={({ controller_id: controllerId }) =>
            void navigate({ to: '/controllers/$controllerId', params: { controllerId } })
          }
        />
      ) : null}
    </div>
  );
}

/** Shows how to send the first request, then its progress. */
function FirstRequest({ first, attention }: Omit<FirstStepsProps, 'className'>) {
  const { controller_id: controllerId, request } = first;
  const isAdmin = useMay('admin');
  if (request === null) {
    if (controllerId === null || !isAdmin) return null;
    return (
      <Link to="/controllers/$controllerId" params={{ controllerId }} className={LINK_BUTTON}>
        {t('steps.try')}
      </Link>
    );
  }
  const { request_status: status } = request;
  const isStopped = attention.groups.some(({ items }) =>
    items.some(({ subject_request_id: id }) => id === request.subject_request_id),
  );
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <RequestStatusMark status={status} />
      <p className="min-w-0 flex-1 basis-48 text-sm text-ink-2">
        {status === 'pending' ? t('steps.waits') : null}
        {status === 'in_progress' ? t(isStopped ? 'steps.stopped' : 'steps.started') : null}
        {status === 'completed' ? t('steps.over') : null}
      </p>
      <Link
        to="/requests/$controllerId/$requestId"
        params={{ controllerId: request.controller_id, requestId: request.subject_request_id }}
        className={LINK_BUTTON}
      >
        {t('steps.open')}
      </Link>
    </div>
  );
}
