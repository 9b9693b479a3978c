// JSON that was written into a document as a text: encoded twice, as programs do that serialise what is serialised.

import { describe, expect, it } from 'vitest';
import type { SqlConnector } from '../../../../src/domain/target/target.ts';
import { hasMysql } from '../../../helpers/databases/fresh-mariadb.ts';
import { eraseFound } from '../../../helpers/erase-found.ts';
import { aSubject, aTable, email, isFound, toOrder } from '../sql-target.ts';
import { JANE, JOE, jane, onEverySqlDatabase, previewOf } from '../use-sql-target.ts';

const TYPES: Record<SqlConnector, readonly string[]> = {
  sqlite: ['TEXT'],
  postgres: ['json', 'jsonb'],
  mysql: ['JSON', 'LONGTEXT'],
};
const PATH = ['user', 'email'];
const found = aTable('events', { match: [{ type: 'email', column: 'data', path: PATH }] });
const overwritten = aTable('events', {
  match: { email: 'owner' },
  action: {
    kind: 'overwrite',
    columns: { data: { kind: 'json', changes: { '$.user.email': { kind: 'remove' } } } },
  },
});
const document = (value: string) => ({ user: { email: value } });
const SHAPES: readonly [string, (value: string) => string][] = [
  ['the whole document', (value) => JSON.stringify(JSON.stringify(document(value)))],
  ['three times', (value) => JSON.stringify(JSON.stringify(JSON.stringify(document(value))))],
  ['a part of it', (value) => JSON.stringify({ user: JSON.stringify({ email: value }) })],
];

const isMysql = await hasMysql();

await onEverySqlDatabase('JSON that is encoded twice', ({ connector, query, open }) => {
  describe.each(TYPES[connector])('in a column of type %s', (type) => {
    async function fill(...documents: readonly string[]): Promise<void> {
      await query(`CREATE TABLE events (id INTEGER PRIMARY KEY, owner VARCHAR(80), data ${type})`);
      for (const [place, text] of documents.entries()) {
        const quoted = connector === 'mysql' ? text.replaceAll('\\', '\\\\') : text;
        await query(`INSERT INTO events VALUES (${place + 1}, '${JANE}', '${quoted}')`);
      }
    }

    // An index serves there, and looking at every row would take its use away.
    it.skipIf(type === 'jsonb' || (type === 'JSON' && isMysql)).each(SHAPES)(
      'holds the request of the person in it: %s',
      async (_, write) => {
        await fill(write(JANE), '{"user": "somebody"}');
        expect(await previewOf(open([found]))).toMatchObject({
          outcome: 'held',
          reason: 'ambiguous_reference',
          detail: expect.stringMatching(/events.*"data".*encoded twice.*correct the value/),
        });
        const other = await previewOf(open([found]), aSubject(1, [email(JOE)]));
        expect(isFound(other).counts).toEqual({});
      },
    );

    it.each(SHAPES)('is reported by the check: %s', async (_, write) => {
      await fill(write(JANE), write(JOE), '{"user": "somebody"}', '{"user": {"email": "x"}}');
      const lines = (await open([found]).check()).filter(({ level }) => level === 'warning');
      expect(lines.map(({ message }) => message)).toContainEqual(
        expect.stringMatching(/^2 rows have JSON as a text.*"data".*\$\.user\.email/),
      );
    });

    it.each(SHAPES)('is not treated as overwritten: %s', async (_, write) => {
      await fill(write(JANE));
      const target = open([overwritten]);
      const order = toOrder(jane(), await previewOf(target));
      expect(await eraseFound(target, [order])).toMatchObject([
        {
          outcome: 'held',
          reason: 'not_overwritten',
          detail: expect.stringContaining('encoded twice'),
        },
      ]);
    });
  });
});
