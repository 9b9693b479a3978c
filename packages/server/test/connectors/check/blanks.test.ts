import { expect, it } from 'vitest';
import { table, tables, written } from './checked-target.ts';
import { onEachDatabase } from './on-each-database.ts';

const TABLES = `CREATE TABLE customers (id int NOT NULL PRIMARY KEY, email varchar(190), code varchar(9), no int);
INSERT INTO customers VALUES (1, ' jane@example.com', 'a', 1), (2, 'joe@example.com ', 'b', 2),
  (3, 'x y@example.com', 'c', 3), (4, NULL, 'd', 4), (5, '', 'e', 5)`;

await onEachDatabase('the check of blanks around values', TABLES, ({ check, run, connector }) => {
  const of = async (match: Record<string, string>) =>
    written(await check({ work: tables([table('customers', { match })]) }), 'warning').filter(
      (line) => line.includes('blanks around'),
    );
  const LINE = (has: string, column: string, type: string) =>
    `warning customers: ${has} in "${column}", and no ${type} equals such a value; correct the rows, or write { column: ${column}, trim: true } in match`;

  it('counts them in each column that is matched, and names the line to write', async () => {
    expect(await of({ email: 'email' })).toEqual([
      LINE('2 values have blanks around them', 'email', 'email'),
    ]);
    expect(await of({ controller_customer_id: 'code' })).toEqual([]);
    expect(await of({ controller_customer_id: 'no' })).toEqual([]);
  });

  it('counts no blanks that are ignored, and none in rows outside the plan', async () => {
    const trimmed = { type: 'email', column: 'email', trim: true } as const;
    const lines = async (more: Parameters<typeof table>[1]) =>
      written(await check({ work: tables([table('customers', more)]) }), 'warning').filter((line) =>
        line.includes('blanks around'),
      );
    expect(await lines({ match: [trimmed] })).toEqual([]);
    expect(await lines({ where: { code: ['c', 'd'] } })).toEqual([]);
    expect(await lines({ where: { code: ['b'] } })).toEqual([
      LINE('1 value has blanks around it', 'email', 'email'),
    ]);
  });

  it('counts tabs and line ends too', async () => {
    const around = {
      sqlite: ["char(9) || 'x'", "char(10) || 'x'", "'x' || char(13)"],
      postgres: ["chr(9) || 'x'", "chr(10) || 'x'", "'x' || chr(13)"],
      mysql: ["CONCAT(CHAR(9), 'x')", "CONCAT(CHAR(10), 'x')", "CONCAT('x', CHAR(13))"],
    }[connector];
    for (const value of around) {
      await run(`UPDATE customers SET code = ${value} WHERE id = 1`);
      expect(await of({ controller_customer_id: 'code' })).toEqual([
        LINE('1 value has blanks around it', 'code', 'controller_customer_id'),
      ]);
    }
    await run("UPDATE customers SET code = 'a' WHERE id = 1");
  });
});
