// Columns that a plan cannot describe: the line ends with a way that works.
import { expect, it } from 'vitest';
import type { Overwrite, SqlConnector } from '../../../src/domain/target/target.ts';
import { table, tables, written } from './checked-target.ts';
import { onEachDatabase } from './on-each-database.ts';

const BYTES = { sqlite: 'blob', postgres: 'bytea', mysql: 'varbinary(200)' };
const JSON_TYPE = { sqlite: 'json', postgres: 'jsonb', mysql: 'json' };
const BY_HAND = 'write the statements by hand';

const makeTables = (connector: SqlConnector) =>
  `CREATE TABLE members (id int NOT NULL PRIMARY KEY, email varchar(190), mail ${BYTES[connector]} NOT NULL,
  name ${BYTES[connector]} NOT NULL UNIQUE, data ${JSON_TYPE[connector]} NOT NULL, details text)`;

await onEachDatabase('the check of what no plan describes', makeTables, ({ check, connector }) => {
  const about = async (column: string, changes: Parameters<typeof table>[1]) =>
    written(
      await check({ work: tables([table('members', changes)]) }),
      'problem',
      'warning',
    ).filter((line) => line.includes(`"${column}"`));
  const overwriting = (column: string, overwrite: Overwrite) =>
    about(column, { action: { kind: 'overwrite', columns: { [column]: overwrite } } });
  const unique: Overwrite = { kind: 'unique', text: 'erased {random}' };

  it('emails in a column of bytes', async () => {
    const lines = await about('mail', { match: { email: 'mail' } });
    expect(lines).toContainEqual(expect.stringContaining('holds bytes'));
    expect(lines).toContainEqual(expect.stringContaining(`or ${BY_HAND}`));
  });

  it.skipIf(connector === 'sqlite')('unique names of bytes that may not be NULL', async () => {
    for (const overwrite of [unique, { kind: 'null' }, { kind: 'value', value: '' }] as const) {
      const lines = await overwriting('name', overwrite);
      expect(lines).toEqual([
        expect.stringContaining(`leave it out, delete the rows, or ${BY_HAND}`),
      ]);
      expect(lines[0]).not.toMatch(/with null|with ""/);
    }
    expect(await overwriting('mail', unique)).toEqual([
      expect.stringMatching(/overwrite it with ""$/),
    ]);
  });

  it('JSON that may not be NULL', async () => {
    const [line = ''] = await overwriting('data', { kind: 'null' });
    if (connector !== 'mysql') {
      expect(line).toContain('overwrite it with "{}"');
      expect(line).not.toContain('hash');
    }
    expect(await overwriting('data', { kind: 'value', value: '{}' })).toEqual([]);
    if (connector === 'postgres')
      expect(await overwriting('data', { kind: 'value', value: 'erased' })).toEqual([
        expect.stringContaining('the value is not JSON; write "{}"'),
      ]);
  });

  it.skipIf(connector !== 'postgres')('JSON in a text of PostgreSQL', async () => {
    const match = [{ type: 'email', column: 'details', path: ['email'] }] as const;
    expect(await about('details', { match })).toEqual([
      expect.stringMatching(/ALTER TABLE .*, or, where the application needs the text, write the/),
    ]);
  });
});
