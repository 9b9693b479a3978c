// Every hold has a way out: its message says what to do, and who does it sees the request completed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';
import {
  type HeldFor,
  HOLD_CASES,
  type HoldCase,
  moduleSource,
  type Operator,
} from './hold-cases.ts';
import { makeInstallation, type TestInstallation } from './set-up/installation.ts';

interface Task {
  readonly target: string;
  readonly state: string;
  readonly reason: string | null;
  readonly detail: string | null;
}

type Stage = (one: HoldCase) => HoldCase['second'];

const CASES = Object.entries(HOLD_CASES) as [HeldFor, HoldCase][];
const OLGA = ['--as', 'olga'];
const folder = makeTemporaryFolder();
const databases = new Map<string, DatabaseSync>();
/** By controller. */
const ids = new Map<string, string>();
let unwrite: TestInstallation;

afterAll(async () => {
  await unwrite?.kill('SIGTERM');
  for (const database of databases.values()) database.close();
  folder.remove();
});

const controllerOf = (reason: HeldFor): string => (HOLD_CASES[reason].isAlone ? reason : 'acme');

function configWith(stage: Stage): string {
  const targets = CASES.flatMap(([reason, one]) => {
    const target = stage(one);
    const own = { controllers: [controllerOf(reason)] };
    const file = { connector: 'sqlite', file: `./${reason}.db` };
    const isFile = target !== null && target !== undefined && !('connector' in target);
    return [
      ...(target ? [[reason, { ...own, ...(isFile && file), ...target }]] : []),
      ...(one.beside === undefined ? [] : [[`${reason}_beside`, { ...own, ...one.beside }]]),
    ];
  });
  return stringify({ cancellation_window: '0s', targets: Object.fromEntries(targets) });
}

async function restartWith(stage: Stage): Promise<void> {
  await unwrite.kill('SIGTERM');
  unwrite.configure(configWith(stage));
  await unwrite.start();
}

function makeDatabase(reason: string, schema: string): void {
  const database = new DatabaseSync(join(folder.path, `${reason}.db`), { timeout: 5000 });
  database.exec(`PRAGMA journal_mode = WAL; ${schema}`);
  databases.set(reason, database);
}

function databaseOf(reason: string): DatabaseSync {
  const database = databases.get(reason);
  if (database === undefined) throw new Error(`no database for ${reason}`);
  return database;
}

/** The tasks, as soon as each of these is so. */
async function untilAll(
  reasons: readonly HeldFor[],
  isSo: (task: Task, reason: HeldFor) => boolean,
): Promise<Task[]> {
  let tasks: Task[] = [];
  const missing = () =>
    reasons.filter((reason) => !tasks.some((it) => it.target === reason && isSo(it, reason)));
  const areSo = async () => {
    tasks = await unwrite.command('task', 'list');
    if (missing().length === 0) return true;
    // A command costs the server more than what it waits for.
    await new Promise((resolve) => setTimeout(resolve, 100));
    return false;
  };
  const said = () => missing().map((reason) => tasks.filter(({ target }) => target === reason));
  await until(areSo, () => `there are ${JSON.stringify(said().flat())}`, 60_000);
  return tasks;
}

const isHeldFor =
  (reason: HeldFor) =>
  (task: Task): boolean =>
    task.state === 'held' && task.reason === reason;

function operatorOf(reason: HeldFor): Operator {
  const id = () => ids.get(controllerOf(reason)) ?? '';
  const about = async (...args: string[]) => void (await unwrite.command(...args, ...OLGA));
  const task = (verb: string, ...more: string[]) =>
    about('task', verb, id(), '--target', reason, ...more);
  return {
    sql: (statement) => databaseOf(reason).exec(statement),
    release: () => task('release'),
    retain: () =>
      task('retain', '--reason', 'a claim is pending', '--legal-basis', 'GDPR 17(3)(e)'),
    identify: (option, value) => about('request', 'identify', id(), option, value),
    confirm: (target = reason) =>
      about('manual', 'confirm', id(), '--target', target, '--note', 'looked, and shredded'),
    untilHeldFor: async (heldFor) => void (await untilAll([reason], isHeldFor(heldFor))),
    placeLegalHold: () =>
      about('legal-hold', 'place', '--request', id(), '--reason', 'a claim is pending'),
    async liftLegalHold() {
      const [hold] = await unwrite.command('legal-hold', 'list', '--controller', reason);
      await about('legal-hold', 'lift', String(hold.hold), '--reason', 'the claim is settled');
    },
  };
}

it('a request that is held, for whatever reason, is completed when its message is followed', {
  timeout: 120_000,
}, async () => {
  const reasons = CASES.map(([reason]) => reason);
  writeFileSync(join(folder.path, 'failing.ts'), moduleSource(true));
  writeFileSync(join(folder.path, 'working.ts'), moduleSource(false));
  for (const [reason, { schema }] of CASES) if (schema !== undefined) makeDatabase(reason, schema);
  unwrite = await makeInstallation(
    folder.path,
    configWith(({ target }) => target),
  );
  await unwrite.start();
  for (const [reason, { prepare }] of CASES) prepare?.(operatorOf(reason));
  for (const controller of new Set(reasons.map(controllerOf)))
    ids.set(controller, await unwrite.submit(controller, [['email', 'jane@x.org']]));
  for (const [reason, { intoHold }] of CASES) await intoHold?.(operatorOf(reason));

  await restartWith(({ target, second = target }) => second);
  const held = await untilAll(reasons, (task, reason) => isHeldFor(reason)(task));
  for (const [reason, { says }] of CASES) {
    const task = held.find((it) => it.target === reason && isHeldFor(reason)(it));
    expect.soft(task?.detail, reason).toMatch(says);
  }

  await restartWith(({ target, second, corrected = second ?? target }) => corrected);
  for (const [reason, { wayOut }] of CASES) await wayOut(operatorOf(reason));
  await untilAll(reasons, ({ state }) => state === 'erased');
  for (const [controller, id] of ids) await unwrite.untilCompleted(controller, [id]);
  for (const [reason, { left = {} }] of CASES)
    for (const [table, rows] of Object.entries(left)) {
      const [row] = databaseOf(reason).prepare(`SELECT count(*) AS n FROM ${table}`).all();
      expect.soft(row?.n, `${reason}: ${table}`).toBe(rows);
    }
});
