// A target on a real database whose schema misleads: the real configuration loader, connector, fulfilment
// and store, on a virtual clock.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { createSqlConnector, SQL_DIALECTS } from '../../src/connectors/sql/create-sql-connector.ts';
import { Identity } from '../../src/domain/request/identity.ts';
import type { NewRequest } from '../../src/domain/request/request.ts';
import {
  type CheckLine,
  type Connector,
  type EraseSteps,
  TargetDown,
} from '../../src/domain/target/connector.ts';
import {
  SQL_CONNECTORS,
  type SqlTargetConfig,
  type TargetConfig,
} from '../../src/domain/target/target.ts';
import { Fenced } from '../../src/domain/task/fulfilment-ports.ts';
import { SQL_DATABASES, type SqlTestDatabase } from '../connectors/sql/sql-databases.ts';
import { testHash } from '../connectors/sql/sql-target.ts';
import { openBatchWorld } from '../fulfilment/batch-world.ts';
import { hasMysql } from '../helpers/databases/fresh-mariadb.ts';
import { inMatrix } from '../helpers/databases/matrix.ts';
import { keepSqliteTargetsInThread } from '../helpers/databases/sqlite-in-thread.ts';
import { noteMissing } from '../helpers/missing-parts.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';

export const KINDS = ['SQLite', 'PostgreSQL', 'MariaDB'] as const;
export type Kind = (typeof KINDS)[number];

/** On every database that this run is for. `title` may have %s where the database's name belongs. */
export function describeOnEach(title: string, tests: (kind: Kind) => void): void {
  for (const kind of inMatrix(title, KINDS)) describe(title.replace('%s', kind), () => tests(kind));
}

export const JANE = [new Identity('email', 'jane@x.org')];

const there = new Map<string, boolean>();
for (const { name, isThere } of SQL_DATABASES) there.set(name, await isThere());

/** `it`, where the database is on this machine. */
export function itOn(kind: Kind) {
  const isThere = there.get(kind) === true;
  if (!isThere && kind !== 'SQLite') noteMissing(kind);
  return it.skipIf(!isThere);
}

const isMysql = await hasMysql();
/** `it`, where the server is a MariaDB, and not a MySQL that stands in for it. */
export const itOnMariadb = it.skipIf(there.get('MariaDB') !== true || isMysql);
/** `it`, where a MySQL stands in for MariaDB. */
export const itOnMysql = it.skipIf(!isMysql);

/** The line of the configuration that declares these tables, each in YAML's flow style. */
export const tables = (...list: readonly string[]): string => `tables: [${list.join(', ')}]`;

export const held = (reason: string) => ({ outcomes: [{ outcome: 'held', reason }] });
export const refused = (text: string) => ({ down: expect.stringContaining(text) });

function load(database: SqlTestDatabase, settings: readonly string[]): SqlTargetConfig {
  const address = database.connector === 'sqlite' ? 'file' : 'url';
  const lines = [
    `connector: ${database.connector}`,
    `${address}: ${database.address}`,
    ...settings,
  ].map((line) => `    ${line}\n`);
  const folder = makeTemporaryFolder();
  try {
    const yaml = `targets:\n  shop:\n${lines.join('')}`;
    writeFileSync(join(folder.path, 'unwrite.config.yaml'), yaml);
    const target = loadConfig({}, {}, folder.path).config.targets.find(isSql);
    if (target === undefined) throw new Error('the configuration has no SQL target');
    return target;
  } finally {
    folder.remove();
  }
}

function isSql(target: TargetConfig): target is SqlTargetConfig {
  return SQL_CONNECTORS.some((connector) => connector === target.connector);
}

async function openMisledTarget(database: SqlTestDatabase, settings: readonly string[]) {
  keepSqliteTargetsInThread();
  const opened: Connector[] = [];
  let target = load(database, settings);
  let connector = connect();
  const world = await openBatchWorld([target]);
  const { scene, clock } = world;

  function connect(): Connector {
    const made = createSqlConnector(target, { hash: testHash });
    opened.push(made);
    return made;
  }

  /** One batch, with some answers of the connector in place of its own. */
  async function runWith(answers: Partial<Connector>) {
    const run = world.createRun(undefined, async () => ({ ...connector, ...answers }));
    const { down, outcomes } = await run(await scene.lease('shop'), target);
    return { down: down && `${down.code}: ${down.message}`, outcomes };
  }

  async function dieAt(
    erasing: (...given: Parameters<Connector['erase']>) => Promise<void>,
  ): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    void runWith({
      async erase(...given) {
        await erasing(...given);
        resolve();
        return new Promise(() => undefined);
      },
    });
    await promise;
    later(31_000);
  }

  /** What the check says. */
  async function linesOf(wanted: CheckLine['level']): Promise<string[]> {
    const lines = await connector.check();
    return lines
      .filter(({ level }) => level === wanted)
      .map(({ subject, message }) => `${subject}: ${message}`);
  }

  function later(ms = 7 * 3_600_000): void {
    clock.now += ms;
  }

  return {
    runWith,
    later,
    query: database.query,
    run: () => runWith({}),
    statusOf: scene.statusOf,
    problems: () => linesOf('problem'),
    warnings: () => linesOf('warning'),
    async count(from: string): Promise<number> {
      return (await database.query(`SELECT 1 AS one FROM ${from}`)).length;
    },
    async request(identities: readonly Identity[] = JANE): Promise<NewRequest> {
      const made = await scene.create({ identities });
      await world.startDue();
      return made;
    },
    async release(request: NewRequest): Promise<void> {
      const { taskNo } = await scene.task(request, 'shop');
      await world.under.operator.release(taskNo, { actor: 'operator:o', now: clock.now });
    },
    async identify(request: NewRequest, identities: readonly Identity[]): Promise<void> {
      const sealed = world.under.sealIdentities(request, identities);
      const added = { sealed, digests: identities.map((_, place) => Buffer.alloc(32, place + 1)) };
      await world.under.operator.identify(request, added, { actor: 'operator:o', now: clock.now });
    },
    evidenceOf: (request: NewRequest) => world.evidenceOf(request, 'shop'),
    /** Something else writes to the database between the erasing and the look that verifies it. */
    async runWhile(writes: string) {
      return await runWith({
        async erase(...given) {
          const answers = await connector.erase(...given);
          await database.query(writes);
          return answers;
        },
      });
    },
    /** Something else writes to the database between the preview and the erasing. */
    async runAfter(writes: string) {
      return await runWith({
        async erase(...given) {
          await database.query(writes);
          return await connector.erase(...given);
        },
      });
    },
    /** An attempt that meets a lock: what it found is on record, and nothing is touched. */
    async failOnce(): Promise<void> {
      await runWith({
        async erase(subjects, { decide, record }) {
          await connector.erase(subjects, { decide: onlyFind(decide), record });
          return subjects.map(() => ({
            outcome: 'failed',
            code: 'lock_timeout',
            detail: 'a lock',
          }));
        },
      });
      later();
    },
    /** An attempt whose erasing is committed, and whose second look finds the target down. */
    async runWithoutSecondLook(): Promise<void> {
      await runWith({
        verify: () => Promise.reject(new TargetDown('unreachable', 'the target is down')),
      });
      later();
    },
    /** The worker hangs when it has said what it is about to erase, and its lease ends; the answer lets it go on. */
    async hangBeforeErasing(): Promise<() => Promise<void>> {
      const own = connector;
      const hanging = Promise.withResolvers<void>();
      const waking = Promise.withResolvers<void>();
      const run = runWith({
        async erase(...given) {
          hanging.resolve();
          await waking.promise;
          return await own.erase(...given);
        },
      });
      await hanging.promise;
      later(31_000);
      return async () => {
        waking.resolve();
        await expect(run).rejects.toThrow(Fenced);
      };
    },
    /** The worker dies after the erasing has been committed, and its lease ends. `writes`: as with `runAfter`. */
    dieAfterErasing: (writes?: string) =>
      dieAt(async (...given) => {
        if (writes !== undefined) await database.query(writes);
        await connector.erase(...given);
      }),
    /** The worker dies before it finds anything. */
    dieBeforeErasing: () => dieAt(async () => undefined),
    /** Takes effect with the next attempt. */
    configure(changed: readonly string[]): void {
      target = load(database, changed);
      connector = connect();
    },
    async close(): Promise<void> {
      for (const one of opened) await one.close();
      await world.close();
    },
  };
}

type MisledTarget = Awaited<ReturnType<typeof openMisledTarget>>;

/**
 * `settings`: the lines of the target in unwrite.config.yaml, without those that say where it is. The target is prepared:
 * it says how a transaction ended.
 */
export async function withTarget(
  kind: Kind,
  schema: string,
  settings: readonly string[],
  use: (shop: MisledTarget) => Promise<void>,
): Promise<void> {
  const database = await SQL_DATABASES.find(({ name }) => name === kind)?.open();
  if (database === undefined) throw new Error(`no ${kind}`);
  try {
    await database.query(`${schema}; SELECT 1`);
    for (const sql of SQL_DIALECTS[database.connector].transactions.table?.create ?? [])
      await database.query(sql);
    const shop = await openMisledTarget(database, settings);
    try {
      await use(shop);
    } finally {
      await shop.close();
    }
  } finally {
    await database.close();
  }
}

/** What is found is decided on, and nobody is erased. */
function onlyFind(decide: EraseSteps['decide']): EraseSteps['decide'] {
  return (...found) => {
    decide(...found);
    return [];
  };
}
