import { afterEach, describe, expect, it } from 'vitest';
import type { Connector, Resolution } from '../../../../src/domain/target/connector.ts';
import { inMatrix } from '../../../helpers/databases/matrix.ts';
import { SQL_DATABASES, type SqlTestDatabase } from '../sql-databases.ts';
import {
  aSubject,
  aTable,
  aTarget,
  connect,
  customerId,
  email,
  tablesWork,
} from '../sql-target.ts';

for (const kind of inMatrix('looking up identities in', SQL_DATABASES)) {
  describe.skipIf(!(await kind.isThere()))(`looking up identities in ${kind.name}`, () => {
    let database: SqlTestDatabase;
    let connector: Connector;
    afterEach(async () => {
      await connector.close();
      await database.close();
    });

    async function resolve(limit: number, ...emails: string[]): Promise<Resolution[]> {
      database = await kind.open();
      await database.query(`
        CREATE TABLE people (id INTEGER PRIMARY KEY, tenant VARCHAR(40), email VARCHAR(200), no VARCHAR(2000));
        INSERT INTO people VALUES (1, 'acme', 'Jane@example.com', 'c-1'), (2, 'acme', 'jane@example.com', 'c-2'), (3, 'globex', 'jane@example.com', 'c-3'), (4, 'acme', 'joe@example.com', NULL), (5, 'acme', 'joe@example.com', ' c-5'), (7, 'acme', 'ann@example.com', 'c-1'), (8, 'acme', 'ann@example.com', 'c-1')`);
      connector = connect(
        aTarget(
          database,
          tablesWork([
            aTable('people', { match: { email: 'email', controller_customer_id: 'no' } }),
          ]),
          {
            tenancy: { way: 'column', column: 'tenant', values: {} },
            resolve: {
              table: 'people',
              from: { type: 'email', column: 'email' },
              to: { type: 'controller_customer_id', column: 'no' },
              limit,
            },
          },
        ),
      );
      const subjects = emails.map((value, n) => aSubject(n, [email(value)]));
      return (await connector.resolve?.([...subjects, aSubject(99, [customerId('c-9')])])) ?? [];
    }

    const valuesOf = (resolution: Resolution | undefined) =>
      resolution?.outcome === 'resolved'
        ? resolution.identities.map((identity) => [identity.type, identity.reveal()]).sort()
        : resolution?.outcome;

    it("gives each request its own tenant's other identities, each once", async () => {
      const found = await resolve(5, 'JANE@example.com', 'joe@example.com', 'ann@example.com');
      const id = (value: string) => ['controller_customer_id', value];
      expect(found.map(valuesOf)).toEqual([[id('c-1'), id('c-2')], [id(' c-5')], [id('c-1')], []]);
    });

    it.each([
      ['one value', { tenant: ['acme'], id: [1, 4] }],
      ['all but some', { id: { not: [2, 3] } }],
    ])('looks only in rows inside its "where": %s', async (_, where) => {
      await resolve(5);
      await connector.close();
      connector = connect(
        aTarget(database, tablesWork([aTable('people', { match: { email: 'email' } })]), {
          tenancy: { way: 'column', column: 'tenant', values: {} },
          resolve: {
            table: 'people',
            where,
            from: { type: 'email', column: 'email' },
            to: { type: 'controller_customer_id', column: 'no' },
            limit: 5,
          },
        }),
      );
      const [jane] = (await connector.resolve?.([aSubject(1, [email('jane@example.com')])])) ?? [];
      expect(valuesOf(jane)).toEqual([['controller_customer_id', 'c-1']]);
    });

    it('gives other identities of the same type from another column', async () => {
      await resolve(5);
      await connector.close();
      connector = connect(
        aTarget(database, tablesWork([aTable('people', { match: { email: 'no' } })]), {
          tenancy: { way: 'column', column: 'tenant', values: {} },
          resolve: {
            table: 'people',
            from: { type: 'email', column: 'email' },
            to: { type: 'email', column: 'no' },
            limit: 5,
          },
        }),
      );
      const [ann] = (await connector.resolve?.([aSubject(1, [email('ann@example.com')])])) ?? [];
      expect(valuesOf(ann)).toEqual([['email', 'c-1']]);
    });

    it.each([
      ['blanks around it', '  c-5 '],
      ['a line break', 'c\n5'],
      ['a control character', 'c\u00015'],
      ['more characters than can be submitted', 'c'.repeat(1500)],
    ])('keeps a value as it is stored: %s', async (_, value) => {
      await resolve(5);
      await database.query(`INSERT INTO people VALUES (9, 'acme', 'eve@example.com', '${value}')`);
      const [eve] = (await connector.resolve?.([aSubject(1, [email('eve@example.com')])])) ?? [];
      expect(valuesOf(eve)).toEqual([['controller_customer_id', value]]);
      const identities = eve?.outcome === 'resolved' ? eve.identities : [];
      const [preview] = await connector.preview([aSubject(1, identities)]);
      expect(preview).toMatchObject({ outcome: 'found', counts: { people: 1 } });
    });

    it.each(['', ' ', '   '])('holds if a value is blank and names nobody: %j', async (value) => {
      await resolve(5);
      await database.query(`INSERT INTO people VALUES (9, 'acme', 'eve@example.com', '${value}')`);
      const [eve, ann] =
        (await connector.resolve?.([
          aSubject(1, [email('eve@example.com')]),
          aSubject(2, [email('ann@example.com')]),
        ])) ?? [];
      expect(eve).toMatchObject({
        outcome: 'held',
        reason: 'ambiguous_reference',
        detail: expect.stringContaining('people has a blank no'),
      });
      expect(ann?.outcome).toBe('resolved');
    });

    it('holds if there are more than the limit', async () => {
      const [jane, ann] = await resolve(1, 'jane@example.com', 'ann@example.com');
      expect(jane).toMatchObject({ outcome: 'held', reason: 'too_many_resolved' });
      expect(ann?.outcome).toBe('resolved');
    });
  });
}
