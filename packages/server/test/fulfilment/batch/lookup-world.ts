// Several targets in one database, some of which look identities up for the others.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { loadConfig } from '../../../src/config/config.ts';
import { createSqlConnector } from '../../../src/connectors/sql/create-sql-connector.ts';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { NewRequest } from '../../../src/domain/request/request.ts';
import type { Connector } from '../../../src/domain/target/connector.ts';
import type { SqlTargetConfig } from '../../../src/domain/target/target.ts';
import { planTask } from '../../../src/fulfilment/start/plan-request.ts';
import { SQL_DATABASES, type SqlTestDatabase } from '../../connectors/sql/sql-databases.ts';
import { keepSqliteTargetsInThread } from '../../helpers/databases/sqlite-in-thread.ts';
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts';
import type { Kind } from '../../misleading-schemas/misled-target.ts';
import { openBatchWorld } from '../batch-world.ts';

export type LookupWorld = Awaited<ReturnType<typeof openLookupWorld>>;

export const MANUAL = 'connector: manual';

type Targets = Readonly<Record<string, readonly string[]>>;

/** In a SQLite file. `targets`: by name, the lines of each without those that say where it is. */
export async function openLookupWorld(schema: string, targets: Targets) {
  const folder = makeTemporaryFolder();
  const file = join(folder.path, 'shop.db');
  const query = (sql: string) => {
    const database = new DatabaseSync(file);
    const rows = database.prepare(sql).all();
    database.close();
    return rows;
  };
  new DatabaseSync(file).exec(schema);
  const world = await openWorldAt(['connector: sqlite', `file: ${file}`], targets);
  return {
    ...world,
    query,
    file,
    ids: (table: string) => query(`SELECT id FROM ${table} ORDER BY id`).map(({ id }) => id),
    async close(): Promise<void> {
      await world.close();
      folder.remove();
    },
  };
}

export type LookupsOn = Awaited<ReturnType<typeof openLookupsOn>>;

/** The same in any of the databases. */
async function openLookupsOn(database: SqlTestDatabase, targets: Targets) {
  const address = database.connector === 'sqlite' ? 'file' : 'url';
  const where = [`connector: ${database.connector}`, `${address}: ${database.address}`];
  const world = await openWorldAt(where, targets);
  const { query, disturb } = database;
  return {
    ...world,
    query,
    disturb,
    async ids(table: string): Promise<number[]> {
      const rows = await query(`SELECT id FROM ${table} ORDER BY id`);
      return rows.map(({ id }) => Number(id));
    },
    async releaseAndRun(request: NewRequest, ...names: readonly string[]): Promise<void> {
      for (const name of names) {
        await world.release(request, name);
        await world.run(name);
      }
    },
  };
}

export async function withLookups(
  kind: Kind,
  schema: string,
  targets: Targets,
  use: (world: LookupsOn) => Promise<void>,
): Promise<void> {
  const database = await SQL_DATABASES.find(({ name }) => name === kind)?.open();
  if (database === undefined) throw new Error(`no ${kind}`);
  try {
    await database.query(`${schema}; SELECT 1`);
    const world = await openLookupsOn(database, targets);
    try {
      await use(world);
    } finally {
      await world.close();
    }
  } finally {
    await database.close();
  }
}

/** `where`: the lines of each target that say where it is. */
async function openWorldAt(where: readonly string[], targets: Targets) {
  keepSqliteTargetsInThread();
  const folder = makeTemporaryFolder();
  const path = join(folder.path, 'unwrite.config.yaml');
  /** Statements say by themselves what is the controller's. */
  const linesOf = (lines: readonly string[]) =>
    lines.includes(MANUAL)
      ? lines
      : [
          ...where,
          lines.some((line) => line.startsWith('sql:')) ? 'controllers: [acme]' : 'tenancy: none',
          ...lines,
        ];

  function load(wanted: Targets): SqlTargetConfig[] {
    const texts = Object.entries(wanted).map(
      ([name, lines]) =>
        `  ${name}:\n${linesOf(lines)
          .map((line) => `    ${line}\n`)
          .join('')}`,
    );
    writeFileSync(path, `targets:\n${texts.join('')}`);
    return loadConfig({ config: path }, {}, folder.path).config.targets as SqlTargetConfig[];
  }
  const configs = load(targets);
  const world = await openBatchWorld(configs);
  const connectors = new Map<string, Connector>();
  const configOf = (name: string) => configs.find((it) => it.name === name);

  async function connectorOf({ name }: { readonly name: string }): Promise<Connector> {
    const target = configOf(name);
    if (target === undefined) throw new Error(name);
    const connector = connectors.get(name) ?? createSqlConnector(target, { hash: (it) => it });
    connectors.set(name, connector);
    return connector;
  }

  return {
    world,
    configs,
    connectorOf,
    statusOf: world.scene.statusOf,
    task: (request: NewRequest, target: string) => world.scene.task(request, target),
    async request(named: string | Identity): Promise<NewRequest> {
      const identity = typeof named === 'string' ? new Identity('email', named) : named;
      const made = await world.scene.create({ identities: [identity] });
      await world.startDue();
      return made;
    },
    async release(request: NewRequest, target: string): Promise<void> {
      const { taskNo } = await world.scene.task(request, target);
      await world.under.operator.release(taskNo, { actor: 'operator:o', now: world.clock.now });
    },
    async retain(taskNo: number): Promise<void> {
      const by = { actor: 'operator:o', now: world.clock.now };
      await world.under.operator.retain(taskNo, { reason: 'gone', legalBasis: 'none' }, by);
    },
    async identify(request: NewRequest, identities: readonly Identity[]): Promise<void> {
      const sealed = world.under.sealIdentities(request, identities);
      const added = { sealed, digests: identities.map((_, place) => Buffer.alloc(32, place + 1)) };
      const by = { actor: 'operator:o', now: world.clock.now };
      await world.under.operator.identify(request, added, by);
    },
    /** For requests that were completed before the target was configured too. */
    async eraseAgain(target: string): Promise<void> {
      const config = configOf(target);
      if (config === undefined) throw new Error(target);
      const query = { target, since: 0, until: world.clock.now + 1, controllers: null };
      const by = { actor: 'operator:o', now: world.clock.now };
      await world.under.forgettingOperator.eraseAgain(query, planTask(config), by);
    },
    /** Takes effect with the next batch. */
    async configure(wanted: Targets): Promise<void> {
      for (const connector of connectors.values()) await connector.close();
      connectors.clear();
      configs.splice(0, configs.length, ...load(wanted));
    },
    /** `answers`: in place of the connector's own. Nothing where the target has nothing to do. */
    async run(name: string, answers: (own: Connector) => Partial<Connector> = () => ({})) {
      const now = world.clock.now;
      const lease = { target: name, max: 10, worker: 'w', now, leaseUntil: now + 60_000 };
      const batch = await world.under.store.leaseBatch(lease);
      if (batch === undefined) return;
      const connect = async (target: { readonly name: string }) => {
        const own = await connectorOf(target);
        return target.name === name ? { ...own, ...answers(own) } : own;
      };
      await world.createRun(undefined, connect)(batch, configOf(name));
    },
    async close(): Promise<void> {
      for (const connector of connectors.values()) await connector.close();
      await world.close();
      folder.remove();
    },
  };
}
