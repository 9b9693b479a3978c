// On what a legal hold is, by the documentation: on a request, or on a person, whom requests of the controller name by this
// email, or whom their lookup finds by it.
import type { LegalHold } from '../../../src/domain/legal-hold/legal-hold.ts';
import { requestName } from '../system/world.ts';
import type { Look } from './look.ts';
import { type Model, type ModelHold, type ModelRequest, Violation } from './model.ts';

type Named = Pick<ModelRequest, 'name' | 'key' | 'emails'>;

export function isOn(
  { controllerId, request, email }: ModelHold,
  { name, key, emails }: Named,
): boolean {
  if (email === undefined) return request === name;
  return controllerId === key.controllerId && emails.includes(email);
}

/** In force, by the identities that the request has, or that a target is asked with. */
export function holdOn({ holds }: Model, named: Named): ModelHold | undefined {
  return [...holds.values()].find((hold) => isOn(hold, named));
}

/** A lookup has found the person, or may find her later. */
export function mayBeOnHold(model: Model, request: Named): boolean {
  const [first] = request.emails;
  const found = first === undefined ? [] : [`old.${first}`];
  return holdOn(model, { ...request, emails: [...request.emails, ...found] }) !== undefined;
}

/** None ends early, or late; and a task waits for one only while there is one. */
export function checkLegalHolds(
  model: Model,
  seen: Look,
  inForce: readonly LegalHold[],
  hasDoneChores: boolean,
): void {
  const there = new Set(inForce.map(({ holdNo }) => holdNo));
  for (const { holdNo, until, request } of model.holds.values()) {
    const isOver = until !== null && until <= seen.now;
    const isForgotten = request !== undefined && !model.requests.has(request);
    if (!there.has(holdNo) && !isOver && !isForgotten) fail(holdNo, 'has ended before its time');
    if (there.has(holdNo) && isOver && hasDoneChores) fail(holdNo, 'goes on after its end');
    if (!there.has(holdNo)) model.holds.delete(holdNo);
  }
  const extra = inForce.find(({ holdNo }) => !model.holds.has(holdNo));
  if (extra !== undefined) fail(extra.holdNo, 'was lifted, and is in force');
  for (const task of seen.tasks) {
    const request = model.requests.get(requestName(task));
    if (task.reason !== 'legal_hold' || task.state !== 'held' || request === undefined) continue;
    if (mayBeOnHold(model, request)) continue;
    throw new Violation(`task ${task.taskNo} waits for a legal hold, and there is none`);
  }
}

function fail(holdNo: number, what: string): never {
  throw new Violation(`legal hold ${holdNo} ${what}`);
}
