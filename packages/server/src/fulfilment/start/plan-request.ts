// The targets of a request, decided when it starts and stored with it.
import { createHash } from 'node:crypto';
import { DEFAULT_MANUAL_TARGET, type TargetConfig } from '../../domain/target/target.ts';
import type { Plan, PlannedTask } from '../../domain/task/task.ts';
import type { ControllerId } from '../../domain/tenant/controller-id.ts';
import { BY_HAND } from '../batch/hold-words.ts';

export interface RequestPlan {
  readonly plan: Plan;
  readonly tasks: readonly PlannedTask[];
}

export function createPlanRequest(targets: readonly TargetConfig[]) {
  const plans = new Map<string, RequestPlan>();

  /** The same for all requests of a controller that have identities, so it is made once. */
  return (controllerId: ControllerId, namesSomebody: boolean): RequestPlan => {
    const memo = `${controllerId} ${namesSomebody}`;
    const known = plans.get(memo);
    if (known !== undefined) return known;
    const made = namesSomebody ? planFor(targets, controllerId) : namesNobody();
    plans.set(memo, made);
    return made;
  };
}

function planFor(targets: readonly TargetConfig[], controllerId: ControllerId): RequestPlan {
  const mine = targets.filter(
    ({ controllers }) => controllers === null || controllers.includes(controllerId),
  );
  // A request without tasks must not complete.
  if (mine.length === 0) {
    return manualPlan(`no target is configured for this controller: ${BY_HAND}`);
  }
  return {
    plan: makePlan(
      mine.map(({ name, label, connector, digest }) => ({
        target: name,
        ...(label !== undefined && { label }),
        connector,
        digest,
      })),
    ),
    tasks: mine.map(planTask),
  };
}

/** What a request has to do at one target. */
export function planTask(target: TargetConfig): PlannedTask {
  const { name, connector, runsAfter: waitsFor = [] } = target;
  if (target.connector === 'manual') {
    const detail = target.instructions ?? BY_HAND;
    return { target: name, connector, phase: 'erase', held: { reason: 'manual', detail } };
  }
  const resolves = 'resolve' in target && target.resolve !== null;
  const phase = resolves ? 'resolve' : 'erase';
  return { target: name, connector, phase, held: null, ...(waitsFor.length > 0 && { waitsFor }) };
}

function namesNobody(): RequestPlan {
  return manualPlan(
    'the request has no identities: add them (unwrite request identify), or confirm with a note that it is done',
  );
}

function manualPlan(detail: string): RequestPlan {
  const target = DEFAULT_MANUAL_TARGET;
  const task: PlannedTask = {
    target,
    connector: 'manual',
    phase: 'erase',
    held: { reason: 'manual', detail },
  };
  return { plan: makePlan([{ target, connector: 'manual', digest: '' }]), tasks: [task] };
}

function makePlan(targets: Plan['targets']): Plan {
  const digest = createHash('sha256').update(JSON.stringify(targets)).digest('hex');
  return { planId: digest.slice(0, 32), targets };
}
