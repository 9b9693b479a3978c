// Every field that a target can have, read at once.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { TargetConfig } from '../../../src/domain/target/target.ts';
import { useWrittenTargets } from './written-targets.ts';

const EXAMPLE = `
targets:
  shop:
    connector: postgres
    url: \${SHOP_DATABASE_URL}
    mode: preview
    tenant_column: account
    tenants: { acme: 42, globex: 007 }
    tables:
      - table: order_items
        key: [order_id, position]
        via: { orders: { order_id: id } }
      - table: orders
        via: { customers: { customer_id: id }, carts: { cart_id: id, cart_day: day } }
      - table: carts
        key: id
        match: { email: mail }
        action: delete
      - table: customers
        match: { email: email, controller_customer_id: external_id }
        action: { overwrite: { email: null, name: "erased", phone: { hash: true }, age: 0, active: false } }
      - table: invoices
        via: { customers: { customer_id: id } }
        action: { retain: "GDPR 17(3)(b): tax law, 10 years" }
    cascades: [order_notes]
    triggers: [log_order]
    resolve: { table: customers, from: { email: email }, to: { controller_customer_id: external_id }, limit: 5 }
    when_unmatched: skip
    max_rows_per_subject: 7
    batch_size: 8
    statement_timeout: 1m
    lock_timeout: 3s
    hours: "22:00-06:00 Europe/Berlin"
  legacy:
    connector: mysql
    url: mariadb://legacy.example/people
    controllers: [acme]
    sql:
      preview: SELECT count(*) FROM people WHERE mail = :email
      erase: ["DELETE FROM notes WHERE mail = :email", "DELETE FROM people WHERE mail = :email"]
      verify: SELECT count(*) FROM people WHERE mail = :email
  till:
    connector: sqlite
    file: ./till.db
    tenants: { acme: a-1 }
    sql:
      preview: SELECT count(*) FROM people WHERE id = :controller_customer_id AND owner = :tenant
      erase: DELETE FROM people WHERE id = :controller_customer_id AND owner = :tenant
      verify: SELECT count(*) FROM people WHERE id = :controller_customer_id AND owner = :tenant
  crm:
    connector: http
    url: https://crm.internal/erase
    bearer: \${CRM_TOKEN}
    verify: none
    allow_private: [10.0.0.0/8, "::1"]
    timeout: 20s
    poll_timeout: 1h
    controllers: [acme, globex]
  paper:
    connector: manual
    instructions: Shred the folder in cabinet 3
  files:
    connector: module
    file: ./targets/files.ts
    options: { root: /srv/files }
`;

const settings = useWrittenTargets();
let targets: readonly TargetConfig[];

beforeEach(() => {
  mkdirSync(join(settings.directory(), 'targets'));
  settings.write('targets/files.ts', 'export default {};');
  const environment = { SHOP_DATABASE_URL: 'postgres://u:p@db/shop', CRM_TOKEN: 't0ken' };
  targets = settings.load({ file: EXAMPLE, environment }).config.targets;
});

const DIGEST = expect.stringMatching(/^[0-9a-f]{32}$/);
const PLAN_DIGEST = expect.stringMatching(/^[0-9a-f]{32}-[0-9a-f]{32}$/);
const COMMON = {
  mode: 'erase',
  whenUnmatched: 'hold',
  maxRowsPerSubject: 1000,
  maxRowsPerDay: null,
  hours: null,
  concurrency: 1,
};
const SQL = {
  ...COMMON,
  digest: DIGEST,
  planDigest: PLAN_DIGEST,
  accept: {},
  batchSize: 500,
  statementTimeout: 30_000,
  lockTimeout: 2000,
  resolve: null,
};
const OTHER = { ...COMMON, digest: DIGEST, planDigest: PLAN_DIGEST, batchSize: 100 };
/** What a table has that says nothing of it. */
const PLAIN = { tenantColumn: null, shared: 'hold', whenUnmatched: 'hold' };

it('reads an SQL target with tables', () => {
  expect(targets[0]).toEqual({
    name: 'shop',
    runsAfter: ['crm', 'files', 'till'],
    connector: 'postgres',
    address: 'postgres://u:p@db/shop',
    mode: 'preview',
    concurrency: 2,
    controllers: null,
    tenancy: { way: 'column', column: 'account', values: { acme: '42', globex: '007' } },
    work: {
      kind: 'tables',
      tables: [
        {
          table: 'order_items',
          key: ['order_id', 'position'],
          ...PLAIN,
          match: [],
          via: [{ parent: 'orders', columns: { order_id: 'id' } }],
          action: { kind: 'delete' },
        },
        {
          table: 'orders',
          key: null,
          ...PLAIN,
          match: [],
          via: [
            { parent: 'customers', columns: { customer_id: 'id' } },
            { parent: 'carts', columns: { cart_id: 'id', cart_day: 'day' } },
          ],
          action: { kind: 'delete' },
        },
        {
          table: 'carts',
          key: ['id'],
          ...PLAIN,
          match: [{ type: 'email', column: 'mail' }],
          via: [],
          action: { kind: 'delete' },
        },
        {
          table: 'customers',
          key: null,
          ...PLAIN,
          match: [
            { type: 'email', column: 'email' },
            { type: 'controller_customer_id', column: 'external_id' },
          ],
          via: [],
          action: {
            kind: 'overwrite',
            columns: {
              email: { kind: 'null' },
              name: { kind: 'value', value: 'erased' },
              phone: { kind: 'hash' },
              age: { kind: 'value', value: 0 },
              active: { kind: 'value', value: false },
            },
          },
        },
        {
          table: 'invoices',
          key: null,
          ...PLAIN,
          match: [],
          via: [{ parent: 'customers', columns: { customer_id: 'id' } }],
          action: { kind: 'retain', reason: 'GDPR 17(3)(b): tax law, 10 years' },
        },
      ],
      cascades: ['order_notes'],
      triggers: ['log_order'],
    },
    resolve: {
      table: 'customers',
      from: { type: 'email', column: 'email' },
      to: { type: 'controller_customer_id', column: 'external_id' },
      limit: 5,
    },
    whenUnmatched: 'skip',
    maxRowsPerSubject: 7,
    maxRowsPerDay: null,
    batchSize: 8,
    statementTimeout: 60_000,
    lockTimeout: 3000,
    hours: { from: 1320, to: 360, timeZone: 'Europe/Berlin', text: '22:00-06:00 Europe/Berlin' },
    digest: DIGEST,
    planDigest: PLAN_DIGEST,
    accept: {},
  });
});

it("reads hand-written SQL of a database that is one controller's", () => {
  expect(targets[1]).toEqual({
    ...SQL,
    name: 'legacy',
    connector: 'mysql',
    address: 'mariadb://legacy.example/people',
    controllers: ['acme'],
    tenancy: { way: 'controller', controllerId: 'acme' },
    work: {
      kind: 'statements',
      preview: 'SELECT count(*) FROM people WHERE mail = :email',
      erase: ['DELETE FROM notes WHERE mail = :email', 'DELETE FROM people WHERE mail = :email'],
      verify: 'SELECT count(*) FROM people WHERE mail = :email',
    },
  });
});

it('reads hand-written SQL that tells controllers apart by a parameter', () => {
  expect(targets[2]).toMatchObject({
    ...SQL,
    name: 'till',
    connector: 'sqlite',
    address: join(settings.directory(), 'till.db'),
    controllers: null,
    tenancy: { way: 'parameter', values: { acme: 'a-1' } },
    work: { erase: ['DELETE FROM people WHERE id = :controller_customer_id AND owner = :tenant'] },
  });
});

it('reads an HTTP target', () => {
  expect(targets[3]).toEqual({
    ...OTHER,
    name: 'crm',
    connector: 'http',
    controllers: ['acme', 'globex'],
    url: 'https://crm.internal/erase',
    auth: { kind: 'bearer', token: 't0ken' },
    verify: 'none',
    allowPrivate: ['10.0.0.0/8', '::1'],
    timeout: 20_000,
    pollTimeout: 3_600_000,
  });
});

it('reads a manual target and a module', () => {
  expect(targets.slice(4)).toEqual([
    {
      ...OTHER,
      name: 'paper',
      connector: 'manual',
      controllers: null,
      instructions: 'Shred the folder in cabinet 3',
    },
    {
      ...OTHER,
      name: 'files',
      connector: 'module',
      controllers: null,
      file: join(settings.directory(), 'targets/files.ts'),
      options: { root: '/srv/files' },
      timeout: 300_000,
    },
  ]);
});
