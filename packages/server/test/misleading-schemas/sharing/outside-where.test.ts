// A row outside every "where" of its table is somebody else's: what it leads to is shared.
import { expect } from 'vitest';
import { describeOnEach, held, itOn, tables, withTarget } from '../misled-target.ts';

const SCHEMA = `CREATE TABLE users (id INT PRIMARY KEY, email VARCHAR(99));
  CREATE TABLE attachments (id INT PRIMARY KEY, t VARCHAR(9), record_type VARCHAR(20), record_id INT, blob_id INT);
  CREATE TABLE blobs (id INT PRIMARY KEY, filename VARCHAR(99));
  INSERT INTO users VALUES (1, 'jane@x.org');
  INSERT INTO blobs VALUES (1, 'jane.png'), (2, 'logo.png');
  INSERT INTO attachments VALUES (1, 'acme', 'User', 1, 1), (2, 'acme', 'User', 1, 2), (3, 'acme', 'Product', 1, 2)`;
const ATTACHMENTS =
  '{ table: attachments, where: { record_type: User }, via: { users: { record_id: id } } }';
const USERS = '{ table: users, match: { email: email } }';
const blobs = (shared: string) =>
  `{ table: blobs, via: { attachments: { id: blob_id } }, ${shared} action: { overwrite: { filename: erased } } }`;

describeOnEach('a file that a row outside "where" has too (%s)', (kind) => {
  itOn(kind)('is kept', () =>
    withTarget(
      kind,
      SCHEMA,
      ['tenancy: none', tables(ATTACHMENTS, blobs('shared: keep,'), USERS)],
      async (shop) => {
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.count("blobs WHERE filename = 'logo.png'")).toBe(1);
        expect(await shop.count("blobs WHERE filename = 'erased'")).toBe(1);
        expect((await shop.evidenceOf(request))?.tables?.blobs).toMatchObject({
          rows: 1,
          shared_kept: 1,
        });
      },
    ),
  );

  itOn(kind)('is held without "shared"', () =>
    withTarget(
      kind,
      SCHEMA,
      ['tenancy: none', tables(ATTACHMENTS, blobs(''), USERS)],
      async (shop) => {
        await shop.request();
        expect(await shop.run()).toMatchObject(held('shared'));
      },
    ),
  );

  const withAccounts = SCHEMA.replace(
    'email VARCHAR(99))',
    "email VARCHAR(99), account VARCHAR(9) DEFAULT 'acme')",
  ).replace('INTO users VALUES', 'INTO users (id, email) VALUES');
  const planWith = (shared: string) => [
    'tenant_column: account',
    tables(ATTACHMENTS, blobs(shared), USERS),
  ];

  itOn(kind)('is held where that row is of no known tenant, and says what to write', () =>
    withTarget(kind, withAccounts, planWith('shared: erase,'), async (shop) => {
      await shop.request();
      const [outcome] = (await shop.run()).outcomes;
      expect(outcome).toMatchObject({
        reason: 'tenant_mismatch',
        detail: expect.stringContaining('say "shared: keep" for blobs'),
      });
    }),
  );

  itOn(kind)('is kept as that detail says', () =>
    withTarget(kind, withAccounts, planWith('shared: keep,'), async (shop) => {
      const request = await shop.request();
      await shop.run();
      expect(await shop.statusOf(request)).toBe('completed');
      expect(await shop.count("blobs WHERE filename = 'logo.png'")).toBe(1);
    }),
  );
});
