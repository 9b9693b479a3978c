// Several targets that look up: what one finds leads the others to more, in whichever order they are asked.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { createSqlConnector } from '../../../src/connectors/sql/create-sql-connector.ts';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { Connector } from '../../../src/domain/target/connector.ts';
import type { SqlTargetConfig } from '../../../src/domain/target/target.ts';
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts';
import { type BatchWorld, openBatchWorld } from '../batch-world.ts';

const SCHEMA = `
  CREATE TABLE crm (id INTEGER PRIMARY KEY, email TEXT, no TEXT);
  CREATE TABLE bill (id INTEGER PRIMARY KEY, no TEXT, mail TEXT);
  CREATE TABLE news (id INTEGER PRIMARY KEY, mail TEXT, renamed_to TEXT);
  INSERT INTO crm VALUES (1, 'jane@x.org', '7'), (2, 'bob@x.org', '8'), (3, 'jane@third.org', '9');
  INSERT INTO bill VALUES (1, '7', 'jane@private.org'), (2, '8', 'bob@private.org'), (3, '9', NULL);
  INSERT INTO news VALUES (1, 'jane@x.org', NULL), (2, 'jane@private.org', 'jane@second.org'),
    (3, 'bob@private.org', NULL), (4, 'jane@second.org', 'jane@third.org'), (5, 'jane@third.org', NULL);`;

const configOf = (file: string) => `targets:
  shop:
    connector: sqlite
    file: ${file}
    tenancy: none
    resolve: { table: crm, from: { email: email }, to: { controller_customer_id: 'no' } }
    tables:
      - { table: bill, match: { controller_customer_id: 'no' } }
      - { table: crm, match: { email: email, controller_customer_id: 'no' } }
  mail:
    connector: sqlite
    file: ${file}
    tenancy: none
    resolve: { table: bill, from: { controller_customer_id: 'no' }, to: { email: mail } }
    tables:
      - { table: news, match: { email: mail } }
  aliases:
    connector: sqlite
    file: ${file}
    tenancy: none
    resolve: { table: news, from: { email: mail }, to: { email: renamed_to } }
    tables:
      - { table: news, match: { email: renamed_to } }
`;

const ORDERS = [
  ['shop', 'mail', 'aliases'],
  ['mail', 'aliases', 'shop'],
  ['aliases', 'mail', 'shop'],
];

describe('targets that look up', () => {
  const folder = makeTemporaryFolder();
  const connectors = new Map<string, Connector>();
  let world: BatchWorld;
  let targets: SqlTargetConfig[];
  let file: string;

  beforeEach(async () => {
    file = join(folder.path, `${Math.random()}.db`);
    const made = new DatabaseSync(file);
    made.exec(SCHEMA);
    made.close();
    const path = join(folder.path, 'unwrite.config.yaml');
    writeFileSync(path, configOf(file));
    targets = loadConfig({ config: path }, {}, folder.path).config.targets as SqlTargetConfig[];
    world = await openBatchWorld(targets);
  });
  afterEach(async () => {
    for (const connector of connectors.values()) await connector.close();
    connectors.clear();
    await world.close();
  });

  async function connectorOf(name: string): Promise<Connector> {
    const target = targets.find((it) => it.name === name);
    if (target === undefined) throw new Error(name);
    const connector = connectors.get(name) ?? createSqlConnector(target, { hash: (it) => it });
    connectors.set(name, connector);
    return connector;
  }

  async function run(name: string): Promise<boolean> {
    const target = targets.find((it) => it.name === name);
    const now = world.clock.now;
    const lease = { target: name, most: 10, worker: 'w', now, leaseUntil: now + 60_000 };
    const batch = await world.under.store.leaseBatch(lease);
    if (batch === undefined) return false;
    await world.createRun(undefined, ({ name: own }) => connectorOf(own))(batch, target);
    return true;
  }

  function rowsOf(table: string): unknown[] {
    const database = new DatabaseSync(file, { readOnly: true });
    const rows = database.prepare(`SELECT id FROM ${table} ORDER BY id`).all();
    database.close();
    return rows.map(({ id }) => id);
  }

  it.each(ORDERS)('find the same in the order %s, %s, %s', async (...order) => {
    const request = await world.scene.create({ identities: [new Identity('email', 'jane@x.org')] });
    await world.startDue();
    for (let rounds = 0; rounds < 10; rounds++) for (const name of order) await run(name);
    expect(await world.scene.statusOf(request)).toBe('completed');
    expect({ crm: rowsOf('crm'), bill: rowsOf('bill'), news: rowsOf('news') }).toEqual({
      crm: [2],
      bill: [2],
      news: [3],
    });
  });
});
