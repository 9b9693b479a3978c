// What controllers do: create, cancel, ask. What they are answered is compared with what the model knows.

import type { SubjectRequestId } from '@unwrite/protocol';
import fc from 'fast-check';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { CancelOutcome } from '../../../src/domain/request/request.ts';
import { type History, PEOPLE } from '../history.ts';
import { type ModelRequest, Violation } from '../model/model.ts';
import { statutoryEnd } from '../model/statutory-end.ts';
import { CONTROLLERS } from '../system/open-store.ts';
import { requestName } from '../system/world.ts';
import { command, type HistoryCommand, pick } from './command.ts';

/** Few, so that ids are used twice, and by both controllers. */
const IDS = Array.from(
  { length: 5 },
  (_, index) => `a7551968-d5d6-44b2-9831-815ac901779${index}` as SubjectRequestId,
);

const anIndex = fc.nat({ max: 20 });

export interface Created {
  readonly controller: number;
  readonly id: number;
  readonly person: number;
  readonly names: 'email' | 'customer id' | 'both' | 'nobody';
  readonly isCcpa: boolean;
  readonly daysAgo: number;
}

export const created: fc.Arbitrary<Created> = fc.record({
  controller: fc.nat({ max: 1 }),
  id: fc.nat({ max: IDS.length - 1 }),
  // The first has rows everywhere; several requests for one person are worth more than many people.
  person: fc.constantFrom(0, 0, 0, 1, 2, 3),
  names: fc.oneof(
    { weight: 6, arbitrary: fc.constant('email' as const) },
    { weight: 2, arbitrary: fc.constantFrom('customer id', 'both', 'nobody') },
  ),
  isCcpa: fc.boolean(),
  daysAgo: fc.constantFrom(0, 0, 0, 29, 40),
});

export async function create({ model, system }: History, given: Created): Promise<void> {
  const controllerId = CONTROLLERS[given.controller === 0 ? 0 : 1];
  const subjectRequestId = IDS[given.id] ?? (IDS[0] as SubjectRequestId);
  const key = { controllerId, subjectRequestId };
  const name = requestName(key);
  const email = PEOPLE[given.person] ?? '';
  const emails = given.names === 'email' || given.names === 'both' ? [email] : [];
  const customers = given.names === 'customer id' || given.names === 'both' ? ['C-1'] : [];
  const since = system.world.now();
  const regulation = given.isCcpa ? 'ccpa' : 'gdpr';
  const submitted = system.clock.now - given.daysAgo * 86_400_000;
  const outcome = await system.requests().create({
    ...key,
    regulation,
    submittedTime: new Date(submitted).toISOString(),
    identities: [
      ...emails.map((value) => new Identity('email', value)),
      ...customers.map((value) => new Identity('controller_customer_id', value)),
    ],
    actor: 'client:one',
  });
  const isKnown = model.requests.has(name);
  if (isKnown !== (outcome.outcome === 'exists')) {
    throw new Violation(`create of ${name}, ${isKnown ? 'known' : 'new'}: ${outcome.outcome}`);
  }
  if (outcome.outcome === 'exists') return;
  model.requests.set(name, {
    name,
    key,
    since,
    emails,
    namesSomebody: given.names !== 'nobody',
    receivedTime: outcome.receivedTime,
    status: 'pending',
    finalTime: undefined,
    statutoryEnd: statutoryEnd(regulation, submitted),
    isCancelled: false,
    isStartAsked: false,
    startsAgain: false,
    plan: undefined,
    isAgain: false,
  });
  if (outcome.receivedTime !== system.clock.now)
    throw new Violation(`${name} came at another time`);
}

export function noteCancel(history: History, request: ModelRequest, answer: CancelOutcome): void {
  const { model } = history;
  if (answer.outcome === 'cancelled') {
    if (request.status !== 'pending') throw new Violation(`${request.status} was cancelled`);
    request.isCancelled = true;
    model.looksDeep = true;
  } else if (request.status === 'pending' && answer.outcome !== 'not_pending') {
    throw new Violation(`cancel of ${request.name}: ${answer.outcome}`);
  }
}

async function cancel(history: History, index: number): Promise<void> {
  const request = pick([...history.model.requests.values()], index);
  if (request === undefined) return;
  const { status } = request;
  const answer = await history.system.requests().cancel({ ...request.key, actor: 'client:one' });
  noteCancel(history, request, answer);
  const isRefused = answer.outcome === 'not_pending' && answer.status === status;
  if (status !== 'pending' && !isRefused) {
    throw new Violation(`cancel of ${request.name}, ${status}: ${JSON.stringify(answer)}`);
  }
  if (status === 'pending' && answer.outcome !== 'cancelled') {
    throw new Violation(`cancel of ${request.name}, pending: ${answer.outcome}`);
  }
}

/** At the same moment as the sweep: exactly one of them wins. */
async function cancelBesideStart(history: History, index: number): Promise<void> {
  const { system } = history;
  const request = pick([...history.model.requests.values()], index);
  if (request === undefined) return;
  const worker = await system.worker(index);
  const cancelling = () => system.requests().cancel({ ...request.key, actor: 'client:one' });
  // One connection waits for the other where there is one thread.
  const isShared = system.kind === 'postgres';
  const starting = isShared ? worker.startDue() : undefined;
  const answer = await cancelling();
  await (starting ?? worker.startDue());
  noteCancel(history, request, answer);
}

async function askForUnknown({ system }: History): Promise<void> {
  const key = { controllerId: CONTROLLERS[0], subjectRequestId: UNKNOWN };
  const answer = await system.requests().cancel({ ...key, actor: 'client:one' });
  const state = await system.requests().read(key);
  if (state !== undefined || answer.outcome !== 'not_found') throw new Violation('it is known');
}
const UNKNOWN = '0b0f3f0e-5b60-4a3c-9c3e-1f2d3c4b5a69' as SubjectRequestId;

const hasRequests = ({ model }: History) => model.requests.size > 0;

export const controllerCommands: fc.Arbitrary<HistoryCommand>[] = [
  ...Array.from({ length: 3 }, () =>
    created.map((given) => command({ name: 'create', given, run: (it) => create(it, given) })),
  ),
  anIndex.map((index) =>
    command({ name: 'cancel', given: { index }, can: hasRequests, run: (it) => cancel(it, index) }),
  ),
  anIndex.map((index) =>
    command({
      name: 'cancel beside start',
      given: { index },
      can: hasRequests,
      run: (it) => cancelBesideStart(it, index),
    }),
  ),
  fc.constant(command({ name: 'ask for an unknown request', run: askForUnknown })),
];
