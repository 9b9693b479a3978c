// What operators do to requests and tasks. What is possible by the documentation is done; all else is refused.
import fc from 'fast-check';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { TaskSummary } from '../../../src/domain/task/task.ts';
import { planTask } from '../../../src/fulfilment/start/plan-request.ts';
import { eraseAgain } from '../../../src/operator/request/erase-again.ts';
import { identifyRequest, retryRequest } from '../../../src/operator/request/operate-request.ts';
import { pauseErasing, resumeErasing } from '../../../src/operator/target/pauses.ts';
import { confirmTask, retainTask } from '../../../src/operator/task/end-task.ts';
import { releaseTask } from '../../../src/operator/task/release-tasks.ts';
import { type History, PEOPLE } from '../history.ts';
import { holdOn, mayBeOnHold } from '../model/legal-holds.ts';
import { type ModelRequest, Violation } from '../model/model.ts';
import { requestName } from '../system/world.ts';
import { by, parts, tried } from './acting.ts';
import { command, type HistoryCommand, pick } from './command.ts';
import { lookForWork } from './worker-commands.ts';

const anIndex = fc.nat({ max: 20 });
const isManual = ({ state, reason }: TaskSummary) => state === 'held' && reason === 'manual';

/** Undefined where that depends on what a lookup has found. */
function freeOfHolds({ model }: History, task: TaskSummary): boolean | undefined {
  const request = model.requests.get(requestName(task));
  if (request === undefined || !mayBeOnHold(model, request)) return true;
  return holdOn(model, request) === undefined ? undefined : false;
}

export async function release(history: History, task: TaskSummary): Promise<void> {
  const { taskNo, state, reason, previewedRows } = task;
  const isPossible =
    state === 'held' && !isManual(task) && reason !== 'legal_hold' && freeOfHolds(history, task);
  const work = releaseTask(history.system.store(), String(taskNo), {}, by(history));
  if (await tried(`release of ${taskNo}`, isPossible, work)) {
    history.model.released.set(taskNo, previewedRows);
  }
}

export async function retain(history: History, task: TaskSummary): Promise<void> {
  const { taskNo, state } = task;
  const isPossible = state === 'held' || state === 'failed' || state === 'waiting';
  const why = { reason: 'a claim is pending', legalBasis: 'GDPR 17(3)(e)' };
  const work = retainTask(parts(history), String(taskNo), {}, why, by(history));
  await tried(`retain of ${taskNo}`, isPossible, work);
}

export async function confirm(history: History, task: TaskSummary): Promise<void> {
  const work = confirmTask(parts(history), String(task.taskNo), {}, 'shredded', by(history));
  const isPossible = isManual(task) && freeOfHolds(history, task);
  await tried(`confirm of ${task.taskNo}`, isPossible, work);
}

export async function retry(history: History, request: ModelRequest): Promise<void> {
  const { key, status, name } = request;
  const hasOpen = (history.seen().tasksOf.get(name) ?? []).some(({ state }) => state !== 'erased');
  const isPossible = status === 'in_progress' || (status === 'completed' && hasOpen);
  const named = { id: key.subjectRequestId, controller: key.controllerId };
  await tried('retry', isPossible, retryRequest(history.system.store(), named, by(history)));
}

async function identify(history: History, request: ModelRequest, person: number): Promise<void> {
  const { key, status } = request;
  const email = PEOPLE[person] ?? '';
  const isPossible = status === 'pending' || status === 'in_progress';
  const named = { id: key.subjectRequestId, controller: key.controllerId };
  const added = [new Identity('email', email)];
  const work = identifyRequest(parts(history), named, added, by(history));
  if (!(await tried('identify', isPossible, work))) return;
  if (!request.namesSomebody) {
    request.plan = undefined;
    request.startsAgain = status === 'in_progress';
  }
  request.namesSomebody = true;
  if (!request.emails.includes(email)) request.emails.push(email);
}

async function startNow(history: History, request: ModelRequest): Promise<void> {
  const work = history.system.store().operator.askStart(request.key, by(history));
  if (await tried('start', request.status === 'pending', work)) request.isStartAsked = true;
}

export async function pause(history: History, target: string | undefined): Promise<void> {
  const { model, system } = history;
  const isNew = await pauseErasing(system.store(), system.targets(), target, by(history));
  if (isNew === model.paused.has(target ?? '*')) throw new Violation('pause: it was the other way');
  model.paused.add(target ?? '*');
}

export async function resume(history: History, target: string | undefined): Promise<void> {
  const { model, system } = history;
  const wasPaused = await resumeErasing(system.store(), target, by(history));
  if (wasPaused !== model.paused.delete(target ?? '*')) throw new Violation('resume: it was not');
}

/** A backup of the target was restored: some rows are back. */
async function restoreBackup(history: History, target: string, person: number): Promise<void> {
  const { model, system } = history;
  const email = PEOPLE[person] ?? '';
  for (const controllerId of ['acme', 'globex']) system.world.add(target, controllerId, email);
  const { runs } = await eraseAgain(
    { store: system.store(), targets: system.targets(), planTask },
    { target, since: 0, isDry: false },
    by(history),
  );
  if (runs === 0) return;
  for (const request of model.requests.values()) {
    if (request.status === 'completed') request.isAgain = true;
  }
}

const hasTarget = ({ system }: History, target: string) =>
  system.targets().some(({ name }) => name === target);

const onTask = (
  name: string,
  state: TaskSummary['state'] | undefined,
  run: (history: History, task: TaskSummary) => Promise<void>,
) => {
  const tasksIn = (history: History) =>
    history.seen().tasks.filter((task) => state === undefined || task.state === state);
  return anIndex.map((index) =>
    command({
      name,
      given: { index },
      can: (history) => tasksIn(history).length > 0,
      async run(history) {
        const task = pick(tasksIn(history), index);
        if (task !== undefined) await run(history, task);
      },
    }),
  );
};

const onRequest = (
  name: string,
  run: (history: History, request: ModelRequest, index: number) => Promise<void>,
) =>
  anIndex.map((index) =>
    command({
      name,
      given: { index },
      can: ({ model }) => model.requests.size > 0,
      async run(history) {
        const request = pick([...history.model.requests.values()], index);
        if (request !== undefined) await run(history, request, index);
      },
    }),
  );

/** Between the preview and the erasing of a batch. */
async function pauseMeanwhile(history: History, target: string | undefined): Promise<void> {
  const { system } = history;
  await lookForWork(history, 0, { point: 'preview', way: 'hangs' });
  await pause(history, target);
  await history.check();
  for (const worker of system.alive()) {
    for (const key of [...worker.runs.keys()]) await worker.goOn(key);
  }
}

const scope = fc.constantFrom(undefined, 'crm', 'shop');
const isKnown = (history: History, target: string | undefined) =>
  target === undefined || hasTarget(history, target);

export const operatorCommands: fc.Arbitrary<HistoryCommand>[] = [
  onTask('release', 'held', release),
  onTask('release', 'held', release),
  onTask('release of any task', undefined, release),
  onTask('retain', undefined, retain),
  onTask('confirm', 'held', confirm),
  onRequest('retry', retry),
  onRequest('start now', startNow),
  onRequest('identify', (history, request, index) => identify(history, request, index % 4)),
  scope.map((target) =>
    command({
      name: 'pause',
      given: { target },
      can: (it) => isKnown(it, target),
      run: (it) => pause(it, target),
    }),
  ),
  scope.map((target) =>
    command({
      name: 'pause while a worker previews',
      given: { target },
      can: (it) => isKnown(it, target) && !it.model.paused.has(target ?? '*'),
      run: (it) => pauseMeanwhile(it, target),
    }),
  ),
  scope.map((target) =>
    command({
      name: 'resume',
      given: { target },
      can: (it) => it.model.paused.has(target ?? '*'),
      run: (it) => resume(it, target),
    }),
  ),
  fc.record({ target: fc.constantFrom('crm', 'shop'), person: fc.nat({ max: 3 }) }).map((given) =>
    command({
      name: 'restore a backup and erase again',
      given,
      can: (it) => hasTarget(it, given.target),
      run: (it) => restoreBackup(it, given.target, given.person),
    }),
  ),
];
