import { expect, it } from 'vitest';
import { written } from './checked-target.ts';
import { onEachDatabase } from './on-each-database.ts';

const TABLES = 'CREATE TABLE customers (id int NOT NULL PRIMARY KEY, email varchar(190))';

await onEachDatabase(
  'the check of hand-written statements',
  TABLES,
  ({ check, connector, run }) => {
    const of = async (erase: readonly string[], preview = COUNT) =>
      written(await check({ work: { kind: 'statements', preview, erase, verify: COUNT } })).filter(
        (line) => line.includes(' sql.'),
      );
    const COUNT = 'SELECT count(*) FROM customers WHERE email = :email';

    it('has the database accept each, and runs none', async () => {
      await run("INSERT INTO customers VALUES (1, 'a@example.com')");
      const lines = await of(['DELETE FROM customers WHERE email = :email OR :email IS NULL']);
      expect(lines).toHaveLength(3);
      for (const line of lines) expect(line).toMatch(/^ok sql\.\S+: is accepted by the database/);
      expect(await run('SELECT id FROM customers')).toEqual([{ id: 1 }]);
    });

    it('names those that are refused, and says no word of the database', async () => {
      const lines = await of(
        ['DELETE FROM customer WHERE email = :email', 'DELETE'],
        'SELECT :name',
      );
      expect(lines).toEqual([
        expect.stringMatching(/^problem sql\.preview: a hand-written statement uses :name;/),
        expect.stringMatching(/^problem sql\.erase\[0\]: is refused by the database \(sql_\w+\);/),
        expect.stringMatching(/^problem sql\.erase\[1\]: is refused by the database \(sql_\w+\);/),
        expect.stringMatching(/^ok sql\.verify/),
      ]);
    });

    it('refuses a preview that changes data', async () => {
      const [line] = await of([], '-- counts\nDELETE FROM customers WHERE email = :email');
      expect(line).toBe(
        'problem sql.preview: changes data, and may only count; write it as a SELECT',
      );
      if (connector !== 'postgres') return;
      const inside = 'WITH d AS (DELETE FROM customers RETURNING id) SELECT count(*) FROM d';
      expect((await of([], inside))[0]).toBe(line);
    });

    it('refuses a statement that begins with ANALYZE, because that would run it', async () => {
      expect(await of(['ANALYZE DELETE FROM customers'])).toContain(
        'problem sql.erase[0]: begins with ANALYZE; leave that out',
      );
    });

    it('does not pretend to have checked a procedure', async () => {
      expect(await of(['CALL erase_customer(:email)'])).toContainEqual(
        expect.stringMatching(
          connector === 'mysql'
            ? /^problem sql\.erase\[0\]: calls a procedure, which may commit, .*accept: \{ "procedures"/
            : /^note sql\.erase\[0\]: calls a procedure, which cannot be checked without running it/,
        ),
      );
    });
  },
);
