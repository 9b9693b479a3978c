// A path into JSON means the same on every database, however a document is written.
import { describe, expect, it } from 'vitest';
import type { JsonPath } from '../../../../src/domain/target/json-path.ts';
import { hasMysql } from '../../../helpers/databases/fresh-mariadb.ts';
import { aSubject, aTable, customerId, email, isFound } from '../sql-target.ts';
import { eraseWhole, JANE, JOE, onEverySqlDatabase, previewOf } from '../use-sql-target.ts';

const byEmail = (path: JsonPath) =>
  aTable('profiles', { match: [{ type: 'email', column: 'data', path }] });

const isMysql = await hasMysql();

await onEverySqlDatabase('the meaning of a path', ({ connector, query, open, ids }) => {
  const types =
    connector === 'postgres'
      ? ['jsonb', 'json']
      : connector === 'mysql'
        ? ['json', 'text']
        : ['TEXT'];

  describe.each(types)('in a column of type %s', (type) => {
    async function fill(...documents: readonly string[]): Promise<void> {
      await query(`CREATE TABLE profiles (id INTEGER PRIMARY KEY, data ${type})`);
      for (const [place, document] of documents.entries()) {
        const quoted = connector === 'mysql' ? document.replaceAll('\\', '\\\\') : document;
        await query(`INSERT INTO profiles VALUES (${place + 1}, '${quoted}')`);
      }
    }

    // Such a type keeps each name once.
    it.skipIf(type === 'jsonb' || (type === 'json' && isMysql)).each([
      ['last', ['email'], `{"email": "${JOE}", "email": "${JANE}"}`],
      ['first', ['email'], `{"email": "${JANE}", "email": "${JOE}"}`],
      ['last, by escapes', ['email'], `{"email": "${JOE}", "\\u0065mail": "${JANE}"}`],
      ['with another letter case', ['email'], `{"email": "${JOE}", "email": "JANE@example.com"}`],
      ['in an owner', ['a', 'email'], `{"a": {"email": "${JOE}"}, "a": {"email": "${JANE}"}}`],
      ['in the first owner', ['a', 'email'], `{"a": {"email": "${JANE}"}, "a": {}}`],
      ['in a list', ['l', 0, 'email'], `{"l": [{"email": 1, "email": "${JANE}"}]}`],
    ])(
      'a name that occurs twice holds the request of anybody it could mean: %s',
      async (_, path, document) => {
        await fill(document, '{"other": 1}');
        expect(await previewOf(open([byEmail(path)]))).toMatchObject({
          outcome: 'held',
          reason: 'ambiguous_reference',
          detail: expect.stringMatching(
            /profiles.*"data".*twice.*correct the value or delete the row/,
          ),
        });
        const other = aSubject(1, [email('ann@example.com')]);
        expect(isFound(await previewOf(open([byEmail(path)]), other)).counts).toEqual({});
        expect(await ids('profiles')).toEqual([1, 2]);
      },
    );

    it('a name that occurs twice elsewhere does not matter', async () => {
      await fill(`{"n": 1, "n": 2, "a": {"email": 1}, "email": "${JANE}"}`, `{"email": "${JOE}"}`);
      await eraseWhole(open([byEmail(['email'])]));
      expect(await ids('profiles')).toEqual([2]);
    });

    it.each<[string, readonly string[]]>([
      ['prénom', ['{"pr\\u00e9nom": "7"}', '{"pr\\u00E9nom": 7}', '{"prénom": "7", "\\u0061": 1}']],
      ['id', ['{"\\u0069d": "7"}', '{"i\\u0064": 7}', '{"id": "7", "n\\u006f": 1}']],
      [
        'a/b"c\\d',
        ['{"a\\/b\\"c\\\\d": "7"}', '{"a/b\\u0022c\\u005cd": 7}', '{"a/b\\"c\\\\d": 7}'],
      ],
      ['😀.$', ['{"\\ud83d\\uDE00.$": "7"}', '{"😀\\u002e$": 7}', '{"😀.$": "7"}']],
    ])('the name %s is found however it is written', async (name, documents) => {
      await fill(...documents, `{"x": "7", "pr\\u00e9": "7", "i": "7"}`);
      const match = [{ type: 'controller_customer_id', column: 'data', path: [name] }] as const;
      const connected = open([aTable('profiles', { match })]);
      const { previews } = await eraseWhole(connected, aSubject(1, [customerId('7')]));
      expect(isFound(previews[0]).counts).toEqual({ profiles: 3 });
      expect(await ids('profiles')).toEqual([4]);
    });

    it.each<[string, JsonPath, number]>([
      ['a number is an item of a list', ['emails', 0], 1],
      ['a name is a member of an object', ['emails', '0'], 3],
    ])('%s', async (_, path, mine) => {
      await fill(
        `{"emails": ["${JANE}"]}`,
        `{"emails": "${JANE}"}`,
        `{"emails": {"0": "${JANE}"}}`,
        `{"emails": [["${JANE}"]]}`,
      );
      const { previews, verdicts } = await eraseWhole(open([byEmail(path)]));
      expect(isFound(previews[0]).counts).toEqual({ profiles: 1 });
      expect(verdicts).toMatchObject([{ outcome: 'gone' }]);
      expect(await ids('profiles')).toEqual([1, 2, 3, 4].filter((id) => id !== mine));
    });
  });
});
