// What would take more than it should is held, with every row as it was, until an operator has looked.
import { describe, expect, it } from 'vitest';
import { until } from '../helpers/until.ts';
import { emailOf, type ShopSize, shopTarget } from './set-up/shop.ts';
import type { DatabaseKind, Rows } from './set-up/shop-database.ts';
import { ACME, useShopInstallation } from './set-up/use-shop-installation.ts';

const SIZE: ShopSize = { customers: 10, ordersEach: 5, heavy: 0, ordersOfTheHeavy: 0 };
const EVERY_TABLE = ['customers', 'orders', 'readers', 'reader_notes', 'guests', 'guest_log'];

const TRIGGER: Record<string, readonly string[]> = {
  SQLite: [
    `CREATE TRIGGER guest_left AFTER DELETE ON guests
     BEGIN INSERT INTO guest_log VALUES (OLD.id); END`,
  ],
  PostgreSQL: [
    `CREATE FUNCTION log_guest() RETURNS trigger LANGUAGE plpgsql
     AS $$ BEGIN INSERT INTO guest_log VALUES (OLD.id); RETURN OLD; END $$`,
    'CREATE TRIGGER guest_left AFTER DELETE ON guests FOR EACH ROW EXECUTE FUNCTION log_guest()',
  ],
  MariaDB: [
    `CREATE TRIGGER guest_left AFTER DELETE ON guests
     FOR EACH ROW INSERT INTO guest_log VALUES (OLD.id)`,
  ],
};

interface Task {
  readonly target: string;
  readonly state: string;
  readonly reason: string | null;
}

export function describeHeld(kind: DatabaseKind): void {
  describe(`on ${kind.name}`, { timeout: 60_000 }, () => {
    const world = useShopInstallation(SIZE, kind);

    async function fill(): Promise<void> {
      for (const sql of [
        `CREATE TABLE readers (id INTEGER PRIMARY KEY, email ${kind.emailType})`,
        `CREATE TABLE reader_notes (id INTEGER PRIMARY KEY, reader_id INTEGER,
       FOREIGN KEY (reader_id) REFERENCES readers (id) ON DELETE CASCADE)`,
        `CREATE TABLE guests (id INTEGER PRIMARY KEY, email ${kind.emailType})`,
        'CREATE TABLE guest_log (id INTEGER PRIMARY KEY)',
        `INSERT INTO readers VALUES (1, '${emailOf(0)}'), (2, '${emailOf(2)}')`,
        'INSERT INTO reader_notes VALUES (1, 1), (2, 2)',
        `INSERT INTO guests VALUES (1, '${emailOf(0)}'), (2, '${emailOf(2)}')`,
        ...(TRIGGER[kind.name] ?? []),
      ])
        await world.shop.query(sql);
    }

    const tableTarget = (name: string, more: string) => `  ${name}:
    ${world.shop.address}
    controllers: [acme]
    ${more}
    tables:
      - table: ${name}
        match: { email: email }
`;
    const targetsOf = (cascades: string, triggers: string) =>
      [
        shopTarget(world.shop, 'max_rows_per_subject: 5'),
        tableTarget('readers', cascades),
        tableTarget('guests', triggers),
      ].join('');

    async function everyRow(): Promise<Record<string, Rows>> {
      const tables: [string, Rows][] = [];
      for (const table of EVERY_TABLE) {
        tables.push([table, await world.shop.query(`SELECT * FROM ${table} ORDER BY id`)]);
      }
      return JSON.parse(JSON.stringify(Object.fromEntries(tables)));
    }

    it('a cap, a cascade and a trigger keep a request back, and let it go when they are allowed', async () => {
      await fill();
      const before = await everyRow();
      await world.install(targetsOf('mode: erase', 'mode: erase'));
      const { unwrite } = world;
      const id = await world.submit(0);
      let tasks: Task[] = [];
      const areKeptBack = async () => {
        tasks = await unwrite.command('task', 'list', '--request', id);
        return tasks.length === 3 && tasks.every(({ reason }) => reason !== null);
      };
      await until(areKeptBack, () => `the tasks are ${JSON.stringify(tasks)}`);
      expect(Object.fromEntries(tasks.map(({ target, reason }) => [target, reason]))).toEqual({
        shop: 'over_cap',
        readers: 'target_refused',
        guests: 'target_refused',
      });
      let alarms: { readonly kind: string }[] = [];
      const areRaised = async () => {
        alarms = await unwrite.command('alarms', 'list');
        return alarms.length === 2;
      };
      await until(areRaised, () => `raised are ${JSON.stringify(alarms)}`);
      expect(alarms).toMatchObject([{ kind: 'target_refused' }, { kind: 'target_refused' }]);
      expect(JSON.stringify(alarms)).toMatch(/reader_notes.*guest_left|guest_left.*reader_notes/);
      expect(await everyRow()).toEqual(before);
      expect(await unwrite.status(ACME, id)).toBe('in_progress');
      expect(await unwrite.command('request', 'list', '--attention')).toHaveLength(3);

      await world.restartWith(
        targetsOf('cascades: [reader_notes]', 'triggers: [guest_left]\n    cascades: [guest_log]'),
      );
      const release = (target: string) =>
        unwrite.command('task', 'release', id, '--target', target, '--as', 'olga');
      // What the check refused goes on by itself.
      await release('shop');
      await unwrite.untilCompleted(ACME, [id]);
      const after = await everyRow();
      expect(after.readers).toHaveLength(1);
      expect(after.reader_notes).toEqual([{ id: 2, reader_id: 2 }]);
      expect(after.guests).toHaveLength(1);
      expect(after.guest_log).toEqual([{ id: 1 }]);
      expect(after.customers).toHaveLength(SIZE.customers - 1);
      expect(after.orders).toHaveLength(5 * (SIZE.customers - 1));
    });
  });
}
