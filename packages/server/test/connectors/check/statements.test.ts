import { expect, it } from 'vitest';
import { written } from './checked-target.ts';
import { onEachDatabase } from './on-each-database.ts';

const TABLES = 'CREATE TABLE customers (id int NOT NULL PRIMARY KEY, email varchar(190))';

await onEachDatabase('the check of hand-written statements', TABLES, ({ check, run }) => {
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
    const left = await of([], 'SELECT count(*) FROM customers HAVING count(*) = 1');
    expect(left[0]).toMatch(/^ok/);
  });

  it('names those that are refused, and says no word of the database', async () => {
    const lines = await of(['DELETE FROM customer WHERE email = :email', 'DELETE'], 'SELECT :name');
    expect(lines).toEqual([
      expect.stringMatching(/^problem sql\.preview: a hand-written statement uses :name;/),
      expect.stringMatching(/^problem sql\.erase\[0\]: is refused by the database \(sql_\w+\);/),
      expect.stringMatching(/^problem sql\.erase\[1\]: is refused by the database \(sql_\w+\);/),
      expect.stringMatching(/^ok sql\.verify/),
    ]);
  });

  it('does not pretend to have checked a procedure', async () => {
    expect(await of(['CALL erase_customer(:email)'])).toContain(
      'note sql.erase[0]: calls a procedure, which cannot be checked without running it',
    );
  });
});
