// For cases that set two connections against each other, which only a store with many nodes has.
import { afterEach, beforeEach, expect } from 'vitest';
import type { Transaction } from '../../../src/store/postgres/database.ts';
import { ACME, createScene, GLOBEX, START } from '../../contract/fulfilment/under-test.ts';
import { openPostgresFulfilment } from '../../helpers/stores/open-postgres-fulfilment.ts';

async function open() {
  const clock = { now: START };
  const under = await openPostgresFulfilment([ACME, GLOBEX], clock);
  const { database } = under;

  /** Does the one in a transaction that stays open until the other, begun meanwhile, waits for it. */
  async function whileOpen<T>(
    one: (sql: Transaction) => Promise<unknown>,
    other: () => Promise<T>,
  ) {
    let waiting: Promise<T> | undefined;
    await database.transaction(async (sql) => {
      await one(sql);
      waiting = other();
      waiting.catch(() => undefined);
      await expect.poll(() => countWaiting(), { timeout: 10_000 }).toBeGreaterThan(0);
    });
    return waiting as Promise<T>;
  }

  /** Connections to this store that wait for a lock. */
  async function countWaiting(): Promise<number> {
    const row = await database.get<{ count: number }>(
      `SELECT count(DISTINCT waiting.pid) AS count
       FROM pg_locks AS waiting JOIN pg_locks AS held USING (pid)
       JOIN pg_class ON pg_class.oid = held.relation
       JOIN pg_namespace ON pg_namespace.oid = relnamespace
       WHERE NOT waiting.granted AND nspname = $1`,
      [database.schema],
    );
    return row?.count ?? 0;
  }

  async function count(what: string, values: readonly unknown[] = []): Promise<number> {
    const row = await database.get<{ count: number }>(
      `SELECT count(*) AS count FROM ${what}`,
      values,
    );
    return row?.count ?? -1;
  }

  return { under, clock, scene: createScene(under, clock), whileOpen, count };
}

export type PostgresInUse = Awaited<ReturnType<typeof open>>;

/** A fresh store before each case of the describe block that this is called in. */
export function usePostgres(): () => PostgresInUse {
  let inUse: PostgresInUse;
  beforeEach(async () => {
    inUse = await open();
  });
  afterEach(() => inUse.under.close());
  return () => inUse;
}
