// From wherever a history has come: all faults stop, and an operator follows what `request list --attention` and
// docs/fulfilment.md say. Then every request ends.

import type { LegalHold } from '../../src/domain/legal-hold/legal-hold.ts';
import type { AttentionLine, TaskSummary } from '../../src/domain/task/task.ts';
import { attentionBesideRequests } from '../../src/operator/request/list-attention.ts';
import { lift } from './commands/legal-hold-commands.ts';
import { confirm, release, resume, retain, retry } from './commands/operator-commands.ts';
import { doChores, lookForWork } from './commands/worker-commands.ts';
import type { History } from './history.ts';
import { checkAudit } from './model/check-audit.ts';
import { isFinal, Violation } from './model/model.ts';
import { RETENTION_IDENTITIES, RETENTION_RECORDS } from './system/settings.ts';
import { FULL_CHOICES } from './system/targets.ts';
import { requestName } from './system/world.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MAX_ROUNDS = 60;
/** A task that is held again and again is decided on in the end. */
const MAX_RELEASES = 3;

/** Reasons that say that nothing is to be done but wait. */
const WAIT: readonly string[] = ['daily_cap', 'past_deadline', 'paused'];
const RESTART: readonly string[] = [
  'worker_gone',
  'taking_long',
  'not_worked_on',
  'not_started',
  'not_planned',
];

export async function takeWayOut(history: History): Promise<void> {
  const { system, model } = history;
  system.world.faults.clear();
  // One that says nothing for a minute is replaced without anybody's doing.
  for (const [index, worker] of system.workers().entries()) {
    if (worker?.isFrozen()) system.replace(index);
  }
  const releases = new Map<number, number>();
  for (let round = 0; !isOver(history); round++) {
    if (round === MAX_ROUNDS) throw new Violation(`it does not end: ${whatIsLeft(history)}`);
    await lookForWork(history, round);
    await history.check();
    const before = stateOf(history);
    // Pauses are told beside the requests: what failed under one is shown with its failure.
    for (const { scope } of (await attentionBesideRequests(system.store())).pauses) {
      await resume(history, scope === '*' ? undefined : scope);
    }
    for (const line of history.seen().attention) await follow(history, line, releases);
    await history.check();
    if (stateOf(history) === before) await system.forward(timeToNext(history));
  }
  await history.check(await doChores(history, 0));
  await checkAudit(model, history.seen(), system);
}

/** And when their time has come, people and requests are forgotten. */
export async function waitForForgetting(history: History): Promise<void> {
  const { system, model } = history;
  await system.forward(RETENTION_IDENTITIES + DAY);
  await history.check(await doChores(history, 0));
  const names = [...model.requests.keys()];
  await system.forward(RETENTION_RECORDS);
  await history.check(await doChores(history, 0));
  // The newest request of all stays until there is a newer one.
  const left = names.filter((name) => model.requests.has(name));
  if (left.length > 1) throw new Violation(`${left} are not forgotten`);
}

function isOver({ model, seen }: History): boolean {
  const isOpen = seen().tasks.some(({ state }) => state !== 'erased');
  return !isOpen && [...model.requests.values()].every(({ status }) => isFinal(status));
}

async function follow(
  history: History,
  line: AttentionLine,
  releases: Map<number, number>,
): Promise<void> {
  const { system, model } = history;
  const { reason, state } = line;
  if (WAIT.includes(reason)) return;
  if (RESTART.includes(reason)) return system.restart();
  if (state === 'held') {
    for (const task of await heldOf(history, line)) await decide(history, task, releases);
    return;
  }
  const request = model.requests.get(requestName(line));
  if (request !== undefined && state !== 'running') await retry(history, request);
}

async function heldOf({ system }: History, line: AttentionLine): Promise<readonly TaskSummary[]> {
  const { controllerId, subjectRequestId, target } = line;
  const filter = { controllerId, subjectRequestId, limit: 100, state: 'held' } as const;
  return system.store().tasks.tasks({ ...filter, ...(target !== null && { target }) });
}

async function decide(
  history: History,
  task: TaskSummary,
  releases: Map<number, number>,
): Promise<void> {
  const { system } = history;
  const { taskNo, target, reason } = task;
  const { controllerId, subjectRequestId } = task;
  const on = { controllerId, subjectRequestId };
  const holds = await system.store().legalHolds.list({ on, isInForce: true });
  if (holds.length > 0) return endHolds(history, holds);
  if (reason === 'legal_hold') throw new Violation(`task ${taskNo} waits for no legal hold`);
  if (reason === 'manual') return confirm(history, task);
  if (reason === 'no_usable_identity') return retain(history, task);
  const times = (releases.get(taskNo) ?? 0) + 1;
  releases.set(taskNo, times);
  if (times > MAX_RELEASES) return retain(history, task);
  const isThere = system.targets().some(({ name }) => name === target);
  if (reason === 'target_removed' && !isThere) await system.restart(FULL_CHOICES);
  return release(history, task);
}

/** What has no end is lifted; the others are waited for. */
async function endHolds(history: History, holds: readonly LegalHold[]): Promise<void> {
  const { system } = history;
  for (const { holdNo, untilTime } of holds) {
    if (untilTime === null) await lift(history, holdNo);
    else await system.forward(Math.max(0, untilTime - system.clock.now));
  }
  await history.check(await doChores(history, 0));
}

/** Until something is due. */
function timeToNext({ seen, system, model }: History): number {
  const { now } = system.clock;
  const times = [
    ...seen().tasks.map(({ dueTime, state }) => (state === 'erased' ? 0 : (dueTime ?? 0))),
    ...[...model.requests.values()]
      .filter(({ status }) => status === 'pending')
      .map(({ receivedTime }) => receivedTime + system.settings.windowMs),
  ].filter((time) => time > now);
  return Math.min(HOUR, ...times.map((time) => time - now));
}

function stateOf({ seen, model }: History): string {
  const tasks = seen().tasks.map((it) => [it.taskNo, it.state, it.reason, it.attempts, it.dueTime]);
  const requests = [...model.requests.values()].map(({ status }) => status);
  return JSON.stringify([tasks, requests, [...model.paused]]);
}

function whatIsLeft({ seen, model }: History): string {
  const tasks = seen().tasks.filter(({ state }) => state !== 'erased');
  const requests = [...model.requests.values()].filter(({ status }) => !isFinal(status));
  return JSON.stringify({ tasks, requests, attention: seen().attention });
}
