// What ends a task, ends it once and for good; and a request is completed if, and only if, all of its tasks are,
// at every target that it was planned for, with every identity that it has.
import type { Evidence, TaskSummary } from '../../../src/domain/task/task.ts';
import type { System } from '../system/system.ts';
import { requestName } from '../system/world.ts';
import { type Look, PEOPLE } from './look.ts';
import type { Model, ModelRequest } from './model.ts';
import { Violation } from './model.ts';

export function checkTasks(model: Model, seen: Look, system: System): void {
  const there = new Set(seen.tasks.map(({ taskNo }) => taskNo));
  for (const [taskNo, task] of model.tasks) {
    if (there.has(taskNo)) continue;
    // A request that named nobody is planned again when somebody is named.
    if (task.evidence !== undefined || task.target !== 'manual') {
      throw new Violation(`task ${taskNo} of ${task.request} is lost`);
    }
    model.tasks.delete(taskNo);
    const request = model.requests.get(task.request);
    if (request !== undefined) request.plan = undefined;
  }
  for (const task of seen.tasks) noteTask(model, task, seen, system);
  for (const request of model.requests.values()) {
    checkRequest(request, seen.tasksOf.get(request.name) ?? [], system);
  }
}

function noteTask(model: Model, task: TaskSummary, seen: Look, system: System): void {
  const { taskNo, target, state } = task;
  const known = model.tasks.get(taskNo) ?? {
    taskNo,
    target,
    request: requestName(task),
    evidence: undefined,
    runningSince: undefined,
    changedTime: 0,
  };
  model.tasks.set(taskNo, known);
  // It may have ended, and begun again, since the last look.
  if (state !== 'running' || known.changedTime !== task.changedTime) known.runningSince = undefined;
  if (state === 'running') known.runningSince ??= seen.now;
  known.changedTime = task.changedTime;
  const evidence = task.evidence === null ? undefined : JSON.stringify(task.evidence);
  if (known.evidence !== undefined && known.evidence !== evidence) {
    throw new Violation(`the evidence of task ${taskNo} was ${known.evidence} and is ${evidence}`);
  }
  if ((state === 'erased') !== (evidence !== undefined)) {
    throw new Violation(`task ${taskNo} is ${state}, and its evidence is ${evidence}`);
  }
  if (known.evidence === undefined && task.evidence !== null) {
    checkTruth(task, task.evidence, system);
  }
  known.evidence = evidence;
}

/** Where no person has decided, the second look found nothing: of all rows that were there by then, none is. */
function checkTruth(task: TaskSummary, evidence: Evidence, { world }: System): void {
  const { taskNo, target, controllerId } = task;
  if (PEOPLE.includes(evidence.action) || evidence.action === 'skipped') return;
  const last = world.calls.findLast((call) => call.verb === 'verify' && call.taskNo === taskNo);
  if (last === undefined) throw new Violation(`task ${taskNo} is done, and was never verified`);
  const left = world.rows.filter(
    (row) =>
      row.gone === undefined &&
      row.target === target &&
      row.controllerId === controllerId &&
      row.born < last.at &&
      last.emails.includes(row.email),
  );
  if (left.length > 0) {
    throw new Violation(`task ${taskNo} is ${evidence.action}, and ${left[0]?.id} is still there`);
  }
}

function checkRequest(request: ModelRequest, tasks: readonly TaskSummary[], system: System): void {
  const { name, status } = request;
  if (status === 'pending' || status === 'cancelled') {
    if (tasks.length > 0) throw new Violation(`request ${name} is ${status} and has tasks`);
    return;
  }
  if (tasks.length > 0) checkPlan(request, tasks, system);
  const open = tasks.filter(({ state }) => state !== 'erased');
  if (status === 'in_progress') {
    if (open.length === 0 && tasks.length > 0 && request.plan !== undefined) {
      throw new Violation(`request ${name} has no open task and is not completed`);
    }
    return;
  }
  if (tasks.length === 0) throw new Violation(`request ${name} is completed without a task`);
  if (open.length > 0 && !request.isAgain) {
    throw new Violation(`request ${name} is completed, and task ${open[0]?.taskNo} is open`);
  }
  for (const target of request.plan ?? []) checkCovered(request, target, tasks, system);
}

function checkPlan(request: ModelRequest, tasks: readonly TaskSummary[], system: System): void {
  if (request.plan !== undefined) return;
  const configured = system.targets().map(({ name }) => name);
  const plan = request.namesSomebody && configured.length > 0 ? configured : ['manual'];
  const planned = new Set(tasks.map(({ target }) => target));
  if (plan.some((target) => !planned.has(target)) || planned.size !== plan.length) {
    throw new Violation(`request ${request.name} has tasks at ${[...planned]}, not at ${plan}`);
  }
  request.plan = plan;
}

/** A run at the target was asked with every email of the request, or a person has decided on the last one. */
function checkCovered(
  { name, emails, since }: ModelRequest,
  target: string,
  tasks: readonly TaskSummary[],
  { world }: System,
): void {
  const runs = tasks.filter((task) => task.target === target && task.evidence !== null);
  const last = runs.at(-1);
  if (last === undefined) throw new Violation(`request ${name} is completed without ${target}`);
  if (PEOPLE.includes(last.evidence?.action ?? 'erased')) return;
  if (last.evidence?.action === 'skipped' && emails.length === 0) return;
  const asked = world.calls.filter(
    (call) =>
      call.at > since && call.verb === 'verify' && call.request === name && call.target === target,
  );
  if (!asked.some((call) => emails.every((email) => call.emails.includes(email)))) {
    throw new Violation(`request ${name} is completed, and ${target} was not asked for everybody`);
  }
}
