// What is kept, and for how long: identities while they are needed and no longer, receipts that say what the
// evidence says, alarms when a deadline has passed.
import type { FullReceipt } from '../../../src/domain/receipt/documents.ts';
import { RETENTION_IDENTITIES } from '../system/settings.ts';
import type { System } from '../system/system.ts';
import { type Look, rowsIn } from './look.ts';
import { type Model, type ModelRequest, Violation } from './model.ts';

const THIRTY_DAYS = 30 * 86_400_000;

/** `hasDoneChores`: what the worker does now and then was just done. */
export async function checkKept(
  model: Model,
  seen: Look,
  system: System,
  hasDoneChores: boolean,
): Promise<void> {
  for (const request of model.requests.values()) {
    await checkIdentities(request, seen, system, hasDoneChores);
    await checkReceipts(request, seen, system, hasDoneChores);
  }
  if (hasDoneChores) await checkAlarms(model, seen, system);
}

async function checkIdentities(
  request: ModelRequest,
  seen: Look,
  system: System,
  hasDoneChores: boolean,
): Promise<void> {
  const { name, key, status, finalTime = 0 } = request;
  const sealed = await system.store().tasks.sealedIdentities(key);
  const tasks = seen.tasksOf.get(name) ?? [];
  const isOpen = tasks.some(({ state }) => state !== 'erased');
  if (status === 'pending' || status === 'in_progress') {
    const emails = system
      .identities()
      .open(key, sealed)
      .map((it) => it.reveal());
    const lost = request.emails.filter((email) => !emails.includes(email));
    if (lost.length > 0) throw new Violation(`request ${name} has lost ${lost}`);
    return;
  }
  const isOver = seen.now > finalTime + RETENTION_IDENTITIES && hasDoneChores && !isOpen;
  if (status === 'completed' && !isOver) return;
  const intents = await system.countIntents(tasks.map(({ taskNo }) => taskNo));
  if (sealed.length > 0 || intents > 0) {
    throw new Violation(
      `request ${name} is ${status}, with ${sealed.length} identities and ${intents} intents left`,
    );
  }
}

async function checkReceipts(
  { name, key, status }: ModelRequest,
  seen: Look,
  system: System,
  hasDoneChores: boolean,
): Promise<void> {
  const given = await system.store().receipts.given(key);
  const receipts = given.map(({ fullDocument }): FullReceipt => JSON.parse(fullDocument));
  if (status !== 'completed') {
    if (receipts.length > 0) throw new Violation(`request ${name} is ${status} and has a receipt`);
    return;
  }
  const tasks = seen.tasksOf.get(name) ?? [];
  const stated = receipts.flatMap((receipt) => receipt.tasks);
  for (const [index, receipt] of receipts.entries()) {
    if (receipt.receipt_no !== index + 1) {
      throw new Violation(`receipt ${index + 1} of ${name} says that it is ${receipt.receipt_no}`);
    }
    const { rows_deleted, rows_overwritten, rows_erased } = receipt.totals;
    const total = receipt.tasks
      .map(({ task }) => tasks.find(({ taskNo }) => taskNo === task)?.evidence)
      .reduce((sum, evidence) => sum + (evidence ? rowsIn(evidence) : 0), 0);
    if (rows_deleted + rows_overwritten + rows_erased !== total) {
      throw new Violation(`receipt ${index + 1} of ${name} counts other rows than its evidence`);
    }
  }
  for (const { taskNo, evidence } of tasks) {
    const times = stated.filter(({ task }) => task === taskNo);
    if (times.length > 1) throw new Violation(`task ${taskNo} is on two receipts of ${name}`);
    const isOpen = tasks.some(({ state }) => state !== 'erased');
    if (times.length === 0 && hasDoneChores && !isOpen) {
      throw new Violation(`task ${taskNo} is on no receipt of ${name}`);
    }
    const [only] = times;
    if (only !== undefined && only.action !== evidence?.action) {
      throw new Violation(
        `task ${taskNo} is ${evidence?.action}, and ${only.action} on its receipt`,
      );
    }
  }
}

async function checkAlarms(model: Model, seen: Look, system: System): Promise<void> {
  const alarms = await system.store().alarms.alarms({ limit: 1000 });
  const names = alarms.map(({ kind, subject, percent }) => `${kind} ${subject} ${percent}`);
  if (new Set(names).size < names.length) throw new Violation('an alarm was raised twice');
  const early = alarms.find((it) => it.percent === 100 && it.raisedTime < (it.deadline ?? 0));
  if (early !== undefined) throw new Violation(`an alarm of ${early.kind} came before its time`);
  for (const request of model.requests.values()) {
    const { key, name, status, receivedTime } = request;
    if (status === 'completed' || status === 'cancelled') continue;
    const ends = [
      ['expected_deadline', receivedTime + THIRTY_DAYS],
      ['statutory_deadline', request.statutoryEnd],
    ] as const;
    for (const [kind, end] of ends) {
      const isTold = alarms.some(
        (it) => it.kind === kind && it.percent === 100 && it.controllerId === key.controllerId,
      );
      if (seen.now > end && !isTold) throw new Violation(`${kind} of ${name} raised no alarm`);
    }
  }
}
