// Creates share SQLite's write lock with the worker and with commands, which may write one transaction after the other.
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../../src/store/sqlite/open-database.ts';
import { inTransaction, inTransactionSoon } from '../../../src/store/sqlite/transaction.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../../helpers/temporary-folder.ts';

let folder: TemporaryFolder;
let path: string;
beforeEach(() => {
  folder = makeTemporaryFolder();
  path = join(folder.path, 'locked.db');
});
afterEach(() => folder.remove());

/** Holds the lock for so long, again and again, and leaves it for a moment in between. */
async function startGreedyWriter(heldMs: number, freeMs: number): Promise<Worker> {
  const program = `
    const { DatabaseSync } = require('node:sqlite');
    const { parentPort, workerData } = require('node:worker_threads');
    const rest = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    const database = new DatabaseSync(workerData, { timeout: 60_000 });
    for (let n = 0; ; n++) {
      database.exec('BEGIN IMMEDIATE');
      if (n === 0) parentPort.postMessage('begun');
      rest(${heldMs});
      database.exec('COMMIT');
      rest(${freeMs});
    }`;
  const worker = new Worker(program, { eval: true, workerData: path });
  await once(worker, 'message');
  return worker;
}

it('a create gets the lock when it is free for a moment only', { timeout: 60_000 }, async () => {
  const database = openDatabase(path, 'write');
  database.exec('CREATE TABLE things (no INTEGER PRIMARY KEY) STRICT');
  const greedy = await startGreedyWriter(150, 4);
  const waits: number[] = [];
  try {
    for (let n = 0; n < 8; n++) {
      const start = performance.now();
      inTransactionSoon(database, () => database.exec('INSERT INTO things DEFAULT VALUES'));
      waits.push(performance.now() - start);
      await pause(10);
    }
  } finally {
    await greedy.terminate();
    database.close();
  }
  // Of 5 seconds, after which it is given up.
  expect(Math.max(...waits)).toBeLessThan(2500);
});

it('the lock timeout is restored after that', () => {
  const database = openDatabase(path, 'write');
  const timeout = () => database.prepare('PRAGMA busy_timeout').get()?.timeout;
  const before = timeout();
  inTransactionSoon(database, () => undefined);
  expect(timeout()).toBe(before);
  const other = openDatabase(path, 'write');
  inTransaction(other, () => {
    const start = performance.now();
    expect(() => inTransactionSoon(database, () => undefined, 200)).toThrow('database is locked');
    expect(performance.now() - start).toBeGreaterThan(190);
  });
  expect(timeout()).toBe(before);
  other.close();
  database.close();
});
