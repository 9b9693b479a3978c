// Plays a case: builds the schema, receives the requests, and works on them try by try.

import type { NewRequest } from '../../src/domain/request/request.ts';
import type { Connector } from '../../src/domain/target/connector.ts';
import type { TargetConfig } from '../../src/domain/target/target.ts';
import type { TaskSummary } from '../../src/domain/task/task.ts';
import type { CaseDatabase } from './databases.ts';
import type { Snapshot } from './declared-world.ts';
import type { Configuration, GeneratedCase, Try } from './generated-case.ts';
import { QUIET } from './generated-case.ts';
import type { Fulfilment } from './open-fulfilment.ts';
import { runTry, type Seen } from './run-try.ts';
import { applyChanges, lookAtAll } from './staff.ts';
import { writeConfiguration } from './write-configuration.ts';

/** What was seen of one try. */
export interface TryRecord extends Seen {
  readonly configuration: Configuration;
  readonly interruption: Try['interruption'];
  readonly hasReleased: boolean;
  /** What the gate has against the target. */
  readonly problems: readonly string[];
  readonly after: Snapshot;
  /** In the order of the case's requests; none where the configuration was refused from the beginning. */
  readonly tasks: readonly TaskSummary[];
}

const NOTHING_SEEN: Omit<Seen, 'before'> = {
  spans: [],
  erasing: undefined,
  changedDuring: new Set(),
  hasIntent: false,
  hasBegunToErase: false,
  lookedUpIn: undefined,
};

const QUIET_TRIES = 3;
const DAY = 24 * 60 * 60 * 1000;
let cases = 0;

export async function runCase(
  generated: GeneratedCase,
  database: CaseDatabase,
  fulfilment: Fulfilment,
): Promise<TryRecord[]> {
  const { configurations, tries } = generated;
  const tables = [...generated.tables];
  await database.build(generated);
  const name = `shop-${++cases}`;
  const written = { name, connector: database.connector, address: database.address() };
  const records: TryRecord[] = [];
  let requests: NewRequest[] | undefined;
  let inUse:
    | {
        readonly target: TargetConfig;
        readonly connector: Connector;
        readonly problems: readonly string[];
      }
    | undefined;

  async function useConfiguration(configuration: Configuration) {
    const target = fulfilment.readTarget(writeConfiguration(configuration, written));
    if (!('digest' in target)) return { problems: target, isUnreadable: true };
    if (inUse?.target.digest !== target.digest) {
      await inUse?.connector.close();
      const connector = await fulfilment.connect(target);
      // What the gate says once holds while nobody changes the schema, and asking takes a third of a case.
      inUse = { target, connector, problems: await problemsOf(connector) };
    }
    return { problems: inUse.problems, isUnreadable: false };
  }

  const tasksOf = async () =>
    await Promise.all((requests ?? []).map((request) => fulfilment.scene.task(request, name)));

  async function play(one: Try): Promise<TryRecord> {
    const configuration = configurations[one.configuration] ?? configurations[0];
    const known = tables.length;
    const { problems: unread, isUnreadable } = await useConfiguration(configuration);
    if (inUse !== undefined) requests ??= await receiveAll(generated, inUse.target, fulfilment);
    const hasReleased = one.isReleased && (await releaseAll(await tasksOf(), fulfilment));
    await applyChanges(database, tables, one.changesBefore);
    const before = await lookAtAll(database, tables);
    const seen =
      inUse === undefined || isUnreadable
        ? { ...NOTHING_SEEN, before }
        : await runTry({ one, database, tables, fulfilment, before, ...inUse });
    const after = await lookAtAll(database, tables);
    if (tables.length > known && inUse !== undefined) {
      inUse = { ...inUse, problems: await problemsOf(inUse.connector) };
    }
    fulfilment.clock.now += 2 * DAY;
    const { interruption } = one;
    const tasks = await tasksOf();
    const problems = isUnreadable ? unread : (inUse?.problems ?? []);
    return { ...seen, configuration, interruption, hasReleased, problems, after, tasks };
  }

  try {
    for (const one of tries) records.push(await play(one));
    const last = Math.max(tries.at(-1)?.configuration ?? 0, configurations.length - 1);
    for (let left = QUIET_TRIES; left > 0; left -= 1) {
      const record = await play({ ...QUIET, configuration: last });
      records.push(record);
      if (record.tasks.every(({ state }) => state === 'erased' || state === 'held')) break;
      if (record.problems.length > 0) break;
    }
    return records;
  } finally {
    await inUse?.connector.close();
  }
}

async function problemsOf(connector: Connector): Promise<string[]> {
  const { problems } = (await connector.gate?.()) ?? { problems: [] };
  return problems.map(({ subject, message }) => `${subject}: ${message}`);
}

async function receiveAll(
  { requests }: GeneratedCase,
  target: TargetConfig,
  fulfilment: Fulfilment,
): Promise<NewRequest[]> {
  const received: NewRequest[] = [];
  for (const request of requests) received.push(await fulfilment.receive(target, request));
  return received;
}

async function releaseAll(
  tasks: readonly TaskSummary[],
  { operator, clock }: Fulfilment,
): Promise<boolean> {
  const held = tasks.filter(
    ({ state, previewedRows }) => state === 'held' && previewedRows !== null,
  );
  const by = { actor: 'operator:olga', now: clock.now };
  for (const { taskNo } of held) await operator.release(taskNo, by);
  return held.length > 0;
}
