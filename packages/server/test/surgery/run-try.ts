// One try of a batch, with what happens while it is under way. All rows are looked at before and after
// everything that others do, so that what lies between is Unwrite's own doing.
import type { Connector } from '../../src/domain/target/connector.ts';
import type { TargetConfig } from '../../src/domain/target/target.ts';
import type { FulfilmentStore } from '../../src/domain/task/fulfilment-ports.ts';
import type { CaseDatabase } from './databases.ts';
import type { Snapshot } from './declared-world.ts';
import type { Table, Try } from './generated-case.ts';
import type { Fulfilment } from './open-fulfilment.ts';
import { applyChanges, lookAtAll, writeChange } from './staff.ts';

export interface Span {
  readonly from: Snapshot;
  readonly to: Snapshot;
  /** As it was before what somebody else changed in a transaction beside this one. */
  readonly beforeOthers?: Snapshot;
}

export interface Seen {
  /** The rows as the preview found them. */
  readonly before: Snapshot;
  /** What changed in them was changed by Unwrite. */
  readonly spans: readonly Span[];
  /** The one of the erasing transaction. */
  readonly erasing: Span | undefined;
  /** Rows that somebody else changed in a transaction beside the erasing one. */
  readonly changedDuring: ReadonlySet<string>;
  readonly hasIntent: boolean;
  /** Its connector was called to erase. */
  readonly hasBegunToErase: boolean;
  /** What the rows were when identities were looked up. */
  readonly lookedUpIn: Snapshot | undefined;
}

interface Parts {
  readonly one: Try;
  readonly database: CaseDatabase;
  /** Grows with what the staff adds. */
  readonly tables: Table[];
  readonly fulfilment: Fulfilment;
  readonly target: TargetConfig;
  readonly connector: Connector;
  readonly before: Snapshot;
}

const LONGEST_WAIT_MS = 300;

export async function runTry(parts: Parts): Promise<Seen> {
  const { one, database, tables, fulfilment, target, connector } = parts;
  const { store, pauses, clock } = fulfilment;
  const by = { actor: 'operator:olga', now: clock.now };
  const spans: Span[] = [];
  let { before } = parts;
  let since = before;
  let erasing: Span | undefined;
  let hasIntent = false;
  let hasBegunToErase = false;
  let hasChangedAfter = false;
  let lookedUpIn: Snapshot | undefined;
  let changedDuring = new Set<string>();
  const { promise: death, resolve: die } = Promise.withResolvers<void>();

  /** Nothing of the worker happens any more. */
  function dead(): Promise<never> {
    die();
    return new Promise(() => undefined);
  }

  const look = () => lookAtAll(database, tables);

  const recordTransaction: FulfilmentStore['recordTransaction'] = async (batch, ...given) => {
    if (one.interruption === 'paused after the preview') await pauses.pause(target.name, by);
    const may = await store.recordTransaction(batch, ...given);
    if (!may.paused && may.tomorrow.size === 0) hasIntent = true;
    if (one.interruption === 'killed after the intent') throw new Error('killed');
    return may;
  };

  const erase: Connector['erase'] = async (subjects, steps) => {
    if (erasing === undefined && one.changesBetween.length > 0) {
      spans.push({ from: since, to: await look() });
      await applyChanges(database, tables, one.changesBetween);
      since = await look();
    }
    if (one.interruption === 'killed before erasing') return dead();
    const beside = await startBeside(parts);
    const beforeOthers = since;
    if (beside !== undefined) {
      changedDuring = changedBetween(since, beside.seen);
      since = beside.seen;
    }
    hasBegunToErase = true;
    const erased = connector.erase(subjects, steps);
    await beside?.end(erased.catch(() => undefined));
    if (one.interruption === 'killed after the intent') {
      const isKilled = await erased.then(
        () => false,
        () => true,
      );
      if (isKilled) return dead();
    }
    const answer = await erased;
    const isBeside = changedDuring.size > 0;
    erasing = { from: since, to: await look(), ...(isBeside && { beforeOthers }) };
    spans.push(erasing);
    since = erasing.to;
    if (one.interruption === 'killed after erasing') return dead();
    // Once, as there is nothing that would keep a table without a key from having such a row twice.
    if (one.changesAfter.length > 0 && !hasChangedAfter) {
      hasChangedAfter = true;
      await applyChanges(database, tables, one.changesAfter);
      since = await look();
    }
    return answer;
  };

  const verify: Connector['verify'] = async (orders) => {
    const verdicts = await connector.verify(orders);
    return one.interruption === 'killed after verifying' ? dead() : verdicts;
  };

  const { now } = clock;
  const lease = { target: target.name, max: 100, worker: 'w', now, leaseUntil: now + 30_000 };
  const run = fulfilment.runBatch({ ...store, recordTransaction }, { ...connector, erase, verify });
  let batch = await store.leaseBatch(lease);
  // Identities are looked up in a batch of their own, before anything else.
  if (batch?.phase === 'resolve') {
    lookedUpIn = since;
    await run(batch, target);
    spans.push({ from: since, to: await look() });
    await applyChanges(database, tables, one.changesLookedUp);
    before = await look();
    since = before;
    batch = await store.leaseBatch(lease);
  }
  if (batch !== undefined) await Promise.race([run(batch, target), death]);
  await pauses.resume(target.name, by);
  spans.push({ from: since, to: await look() });
  return { before, spans, erasing, changedDuring, hasIntent, hasBegunToErase, lookedUpIn };
}

/** Somebody else's transaction that is open when the erasing one begins. */
async function startBeside({ one, database, tables }: Parts) {
  const session = database.beside ?? database;
  if (one.interruption === 'locked') {
    await session.query(database.name === 'sqlite' ? 'BEGIN IMMEDIATE' : 'BEGIN');
    if (database.name !== 'sqlite') {
      for (const { name } of tables) await session.query(`SELECT rid FROM ${name} FOR UPDATE`);
    }
    const seen = await lookAtAll(database, tables);
    return {
      seen,
      async end(erased: Promise<unknown>) {
        await erased.catch(() => undefined);
        await session.query('ROLLBACK');
      },
    };
  }
  if (one.changesDuring.length === 0 || database.beside === undefined) return undefined;
  await session.query('BEGIN');
  for (const change of one.changesDuring) {
    const statement = writeChange(tables, change);
    try {
      if (statement !== undefined) await session.query(statement);
    } catch {
      await session.query('ROLLBACK');
      return undefined;
    }
  }
  const seen = await lookAtAll(database, tables, session.query);
  return {
    seen,
    async end(erased: Promise<unknown>) {
      await waitUntilHeldUp(database, erased);
      await session.query('COMMIT');
    },
  };
}

/** Until the erasing transaction has met the lock, or has not met any. */
async function waitUntilHeldUp(database: CaseDatabase, erased: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  erased.then(over, over);
  const deadline = performance.now() + LONGEST_WAIT_MS;
  while (!isOver && performance.now() < deadline && !(await database.isWaiting())) {
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
}

function changedBetween(from: Snapshot, to: Snapshot): Set<string> {
  const changed = new Set<string>();
  for (const [table, rows] of from) {
    for (const [rid, row] of rows) {
      const now = to.get(table)?.get(rid);
      if (JSON.stringify(now) !== JSON.stringify(row)) changed.add(rid);
    }
  }
  return changed;
}
