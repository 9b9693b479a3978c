// Identities inside JSON.
import { beforeEach, describe, expect, it } from 'vitest';
import type { MatchConfig } from '../../../../src/domain/target/target.ts';
import { aSubject, aTable, customerId, email, isFound, passThrough } from '../sql-target.ts';
import {
  eraseWhole,
  JANE,
  JOE,
  jane,
  onEverySqlDatabase,
  previewOf,
  via,
} from '../use-sql-target.ts';

const inJson = (
  path: MatchConfig['path'],
  more: Partial<MatchConfig> = {},
): readonly MatchConfig[] => [
  { type: 'email', column: 'data', ...(path !== undefined && { path }), ...more },
];
const EMAIL = ['contact', 'email'] as const;
const PROFILES = aTable('profiles', { match: inJson(EMAIL) });

await onEverySqlDatabase('identities in JSON', ({ connector, query, open, ids, database }) => {
  const types =
    connector === 'postgres'
      ? ['jsonb', 'json']
      : connector === 'mysql'
        ? ['json', 'text']
        : ['TEXT'];

  const insert = (id: number, document: string) => {
    const quoted = connector === 'mysql' ? document.replaceAll('\\', '\\\\') : document;
    return query(`INSERT INTO profiles VALUES (${id}, '${quoted.replaceAll("'", "''")}')`);
  };
  const add = (id: number, value: unknown) => insert(id, JSON.stringify(value));

  describe.each(types)('of type %s', (type) => {
    beforeEach(() => query(`CREATE TABLE profiles (id INTEGER PRIMARY KEY, data ${type})`));

    it('are found only at the path', async () => {
      await add(1, { contact: { email: JANE } });
      await add(2, { contact: { email: JANE.toUpperCase() } });
      await insert(3, '{"contact": {"email": "jane\\u0040example.com"}}');
      await add(4, { contact: { email: JOE } });
      await add(5, { email: JANE, contact: { mail: JANE } });
      await add(6, { contact: [JANE] });
      await add(7, { contact: { email: [JANE] } });
      await add(8, { contact: { email: { email: JANE } } });
      await add(9, { contact: { email: `${JANE} ` } });
      await add(10, JANE);
      await add(11, null);
      await query('INSERT INTO profiles VALUES (12, NULL)');
      const { previews } = await eraseWhole(open([PROFILES]));
      expect(isFound(previews[0]).counts).toEqual({ profiles: 3 });
      expect(await ids('profiles')).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12]);
    });

    it.each<[string, readonly (string | number)[], unknown]>([
      ['with a blank', ['full name', 'e mail'], { 'full name': { 'e mail': JANE } }],
      ['with a quote', ['a"b', "c'd"], { 'a"b': { "c'd": JANE } }],
      ['with a backslash', ['a\\b'], { 'a\\b': JANE }],
      ['with dots and letters of all kinds', ['a.b', 'ü😀'], { 'a.b': { 'ü😀': JANE } }],
      ['in a list', ['emails', 1, 'value'], { emails: [{}, { value: JANE }] }],
    ])('are found by a path %s', async (_, path, document) => {
      await add(1, document);
      await add(2, { other: JANE });
      await eraseWhole(open([aTable('profiles', { match: inJson(path) })]));
      expect(await ids('profiles')).toEqual([2]);
    });

    it('are numbers too if customers have them', async () => {
      const table = aTable('profiles', {
        match: [{ type: 'controller_customer_id', column: 'data', path: ['id'] }],
      });
      await insert(1, '{"id": 123}');
      await insert(2, '{"id": "123"}');
      await insert(3, '{"id": 1234}');
      await insert(4, '{"id": "0123"}');
      await insert(5, '{"id": 12345678901234567890}');
      await insert(6, '{"id": 12345678901234567891}');
      await insert(7, '{"id": true}');
      await eraseWhole(open([table]), aSubject(1, [customerId('123')]));
      expect(await ids('profiles')).toEqual([3, 4, 5, 6, 7]);
      await eraseWhole(open([table]), aSubject(1, [customerId('12345678901234567890')]));
      await eraseWhole(open([table]), aSubject(1, [customerId('true')]));
      expect(await ids('profiles')).toEqual([3, 4, 6, 7]);
    });

    it('are found with blanks around them if `trim` is set', async () => {
      await add(1, { contact: { email: `\t${JANE} \u00a0\n` } });
      await add(2, { contact: { email: `x ${JANE}` } });
      await eraseWhole(open([aTable('profiles', { match: inJson(EMAIL, { trim: true }) })]));
      expect(await ids('profiles')).toEqual([2]);
    });

    it('may be one of several places, and then be shared', async () => {
      await add(1, { from: JANE, to: JANE });
      await add(2, { from: JANE, to: null });
      await add(3, { from: JOE, to: JANE });
      const match = [...inJson(['from']), ...inJson(['to'])];
      expect(await previewOf(open([aTable('profiles', { match })]))).toMatchObject({
        outcome: 'held',
        reason: 'shared',
      });
      await eraseWhole(open([aTable('profiles', { match, shared: 'keep' })]));
      expect(await ids('profiles')).toEqual([3]);
    });

    it('take children along, in batches of several people', async () => {
      await query('CREATE TABLE notes (id INTEGER PRIMARY KEY, profile INTEGER)');
      await add(1, { contact: { email: JANE } });
      await add(2, { contact: { email: JOE } });
      await add(3, { contact: { email: 'ann@example.com' } });
      await query('INSERT INTO notes VALUES (11, 1), (12, 2), (13, 3)');
      const notes = aTable('notes', { via: [via('profiles', { profile: 'id' })] });
      const subjects = [jane(1), aSubject(2, [email(JOE)])];
      const { erasures } = await passThrough(open([notes, PROFILES]), subjects);
      expect(erasures.map(({ outcome }) => outcome)).toEqual(['erased', 'erased']);
      expect(await ids('notes')).toEqual([13]);
    });
  });

  describe('in texts that the database cannot read', () => {
    const type = connector === 'postgres' ? 'json' : 'TEXT';
    beforeEach(() => query(`CREATE TABLE profiles (id INTEGER PRIMARY KEY, data ${type})`));

    it.skipIf(connector === 'postgres')(
      'are held for whom they could name, and pass everybody else',
      async () => {
        await insert(1, `{"contact": {"email": "${JANE}"`);
        await insert(2, 'not JSON at all');
        await insert(3, '{"contact": {"email": "ann\\u0040example.com"');
        await add(4, { contact: { email: JOE } });
        await eraseWhole(open([PROFILES]), aSubject(1, [email(JOE)]));
        for (const person of [JANE.toUpperCase(), 'ann@example.com'])
          expect(await previewOf(open([PROFILES]), aSubject(1, [email(person)]))).toMatchObject({
            outcome: 'held',
            reason: 'ambiguous_reference',
            detail: expect.stringMatching(/profiles.*"data".*correct the value or delete the row/),
          });
        await query('DELETE FROM profiles WHERE id = 1');
        expect(isFound(await previewOf(open([PROFILES]))).counts).toEqual({});
        expect(await ids('profiles')).toEqual([2, 3]);
      },
    );

    it.skipIf(connector === 'postgres')(
      'are not verified while one could name the person',
      async () => {
        await add(1, { contact: { email: JANE } });
        const connected = open([PROFILES]);
        const { verdicts } = await passThrough(connected, [jane()], async () => undefined);
        expect(verdicts).toMatchObject([{ outcome: 'gone' }]);
        await insert(2, `{"contact": {"email": "${JANE}"`);
        const order = { ...jane(), keys: {}, counts: {} };
        expect(await connected.verify([order])).toMatchObject([
          { outcome: 'held', reason: 'ambiguous_reference' },
        ]);
      },
    );

    it.runIf(connector === 'postgres')(
      'are parsed by us if they are JSON nevertheless',
      async () => {
        // Kept by the type json, and refused by its functions.
        await insert(1, `{"a": "\\u0000", "contact": {"email": "${JANE}"}}`);
        await insert(2, `{"a": "\\ud83d\\ude00", "contact": {"email": "${JANE}"}}`);
        await insert(3, `{"a": "\\ud83d", "contact": {"email": "${JANE}"}}`);
        await insert(4, `{"a": "\\u0000", "b": "${JANE}", "contact": {"email": "${JOE}"}}`);
        await eraseWhole(open([PROFILES]));
        expect(await ids('profiles')).toEqual([4]);
      },
    );

    it('count as another person’s if a row is found in another way', async () => {
      await query('CREATE TABLE owners (id INTEGER PRIMARY KEY, email VARCHAR(200))');
      await query(`INSERT INTO owners VALUES (1, '${JANE}')`);
      const broken =
        connector === 'postgres' ? '{"contact": {"email": ["x", "\\u0000"]}}' : '{"cont';
      await insert(1, broken);
      const profiles = { ...PROFILES, via: [via('owners', { id: 'id' })] };
      const owners = aTable('owners', { match: { email: 'email' } });
      expect(await previewOf(open([profiles, owners]))).toMatchObject({
        outcome: 'held',
        reason: 'shared',
      });
    });
  });

  it.runIf(connector === 'sqlite')('are found in the binary form of SQLite', async () => {
    await query('CREATE TABLE profiles (id INTEGER PRIMARY KEY, data BLOB)');
    const json = JSON.stringify({ contact: { email: JANE } });
    await query(`INSERT INTO profiles VALUES (1, jsonb('${json}')), (2, jsonb('{}'))`);
    await eraseWhole(open([PROFILES]));
    expect(await ids('profiles')).toEqual([2]);
    expect(database().connector).toBe('sqlite');
  });
});
