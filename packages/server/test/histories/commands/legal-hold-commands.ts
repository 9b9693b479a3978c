// Legal holds on requests and people: placed before, while and after their rows are erased, lifted, or ended by their time.
import fc from 'fast-check';
import type { PlacedHold } from '../../../src/domain/legal-hold/legal-hold.ts';
import { Identity } from '../../../src/domain/request/identity.ts';
import {
  type AskedHold,
  liftHold,
  placeHold,
} from '../../../src/operator/legal-hold/legal-holds.ts';
import { type History, PEOPLE } from '../history.ts';
import { isOn } from '../model/legal-holds.ts';
import { isFinal, type ModelHold, Violation } from '../model/model.ts';
import { CONTROLLERS } from '../system/open-store.ts';
import { STOPS, type Stop } from '../system/worker.ts';
import { by, parts, tried } from './acting.ts';
import { command, type HistoryCommand, pick } from './command.ts';
import { forwardToWindow, lookForWork } from './worker-commands.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

interface GivenHold {
  /** A request, or a person of one of the controllers. */
  readonly on: 'request' | 'person' | 'looked up';
  readonly index: number;
  readonly person: number;
  readonly ms: number | null;
}

const givenHold: fc.Arbitrary<GivenHold> = fc.record({
  on: fc.constantFrom('request', 'request', 'person', 'person', 'looked up'),
  index: fc.nat({ max: 20 }),
  person: fc.constantFrom(0, 0, 0, 1, 2, 3),
  ms: fc.constantFrom(null, null, HOUR, 3 * DAY, 31 * DAY),
});

async function place(
  history: History,
  { on, index, person, ms }: GivenHold,
  meanwhile?: () => Promise<void>,
): Promise<void> {
  const until = ms === null ? null : by(history).now + ms;
  const asked = { reason: 'a lawsuit', ...(until !== null && { until }) };
  if (on === 'request') return placeOnRequest(history, index, asked);
  const controller = CONTROLLERS[index % 2 === 0 ? 0 : 1];
  const email = `${on === 'looked up' ? 'old.' : ''}${PEOPLE[person]}`;
  const named = { controller, person: [new Identity('email', email)] };
  const placing = placeHold(parts(history), { ...asked, ...named }, by(history));
  const [placed] = await Promise.all([placing, meanwhile?.()]);
  note(history, placed, { email }, meanwhile !== undefined);
}

async function placeOnRequest(
  history: History,
  index: number,
  asked: Pick<AskedHold, 'reason' | 'until'>,
): Promise<void> {
  const request = pick([...history.model.requests.values()], index);
  if (request === undefined) return;
  const { key, name, status } = request;
  const named = { request: key.subjectRequestId, controller: key.controllerId };
  const placing = placeHold(parts(history), { ...asked, ...named }, by(history));
  const noted = placing.then((placed) => note(history, placed, { request: name }, false));
  await tried(`legal hold on ${name}`, !isFinal(status), noted);
}

/** It names the open requests that it is on, and what was erased of them before. */
function note(
  { model, system }: History,
  { hold: { holdNo, controllerId, untilTime }, requests, tooLate }: PlacedHold,
  on: Pick<ModelHold, 'request' | 'email'>,
  /** Requests may have started, or ended, meanwhile. */
  isBesideWork: boolean,
): void {
  const hold: ModelHold = { holdNo, controllerId, ...on, until: untilTime };
  model.holds.set(holdNo, hold);
  const told = new Set(tooLate.map((one) => `${one.subjectRequestId} ${one.target}`));
  for (const request of model.requests.values()) {
    const { key, name, status } = request;
    if (status !== 'in_progress' || isBesideWork || !isOn(hold, request)) continue;
    if (requests.includes(key.subjectRequestId)) continue;
    throw new Violation(`legal hold ${holdNo} is on ${name}, and does not say so`);
  }
  for (const { id, target, gone } of system.world.rows) {
    // A module may erase, and not say so.
    if (target !== 'shop' || gone === undefined || gone.taskNo === null) continue;
    const request = model.requests.get(model.tasks.get(gone.taskNo)?.request ?? '');
    if (request === undefined || !isOn(hold, request)) continue;
    if (told.has(`${request.key.subjectRequestId} ${target}`)) continue;
    throw new Violation(`legal hold ${holdNo} came after ${id} was erased, and does not say so`);
  }
}

/** As an operator does: the hold that a task waits for is lifted. */
export async function lift(history: History, holdNo: number): Promise<void> {
  await liftHold(parts(history), holdNo, 'it is over', by(history));
  history.model.holds.delete(holdNo);
}

/** Between two steps of a batch. */
async function placeMeanwhile(history: History, given: GivenHold, stop: Stop): Promise<void> {
  await forwardToWindow(history, given.index, 0);
  await lookForWork(history, 0, stop);
  await history.check();
  await place(history, given);
  await history.check();
  for (const worker of history.system.alive()) {
    for (const key of [...worker.runs.keys()]) await worker.goOn(key);
  }
}

export const legalHoldCommands: fc.Arbitrary<HistoryCommand>[] = [
  ...Array.from({ length: 2 }, () =>
    givenHold.map((given) => command({ name: 'legal hold', given, run: (it) => place(it, given) })),
  ),
  ...Array.from({ length: 2 }, () =>
    fc.record({ given: givenHold, stop: fc.constantFrom(...STOPS) }).map(({ given, stop }) =>
      command({
        name: 'legal hold while a worker works',
        given: { ...given, stop },
        run: (it) => placeMeanwhile(it, given, stop),
      }),
    ),
  ),
  givenHold.map((given) =>
    command({
      name: 'legal hold beside a worker',
      given,
      can: ({ system }) => system.kind === 'postgres' && given.on === 'person',
      run: (it) => place(it, given, () => lookForWork(it, given.index)),
    }),
  ),
  fc.nat({ max: 20 }).map((index) =>
    command({
      name: 'lift a legal hold',
      given: { index },
      can: ({ model }) => model.holds.size > 0,
      async run(history) {
        const hold = pick([...history.model.holds.values()], index);
        if (hold !== undefined) await lift(history, hold.holdNo);
      },
    }),
  ),
];
