// Every declared table answers for itself: one that cannot be asked holds the request, by its name.
import { beforeEach, expect, it } from 'vitest';
import { aSubject, aTable, customerId, email, isFound } from '../sql-target.ts';
import { eraseWhole, JANE, jane, onEverySqlDatabase, previewOf, via } from '../use-sql-target.ts';

const PEOPLE = aTable('people', { match: { email: 'email' } });
const TICKETS = aTable('tickets', { match: { controller_customer_id: 'customer' } });
const REPLIES = aTable('replies', { via: [via('tickets', { ticket: 'id' })] });
const skip = { whenUnmatched: 'skip' } as const;

await onEverySqlDatabase('a table that the request has no identity for', ({ query, open, ids }) => {
  beforeEach(() =>
    query(`
      CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(200));
      CREATE TABLE tickets (id INTEGER PRIMARY KEY, customer VARCHAR(40));
      CREATE TABLE replies (id INTEGER PRIMARY KEY, ticket INTEGER);
      INSERT INTO people VALUES (1, '${JANE}');
      INSERT INTO tickets VALUES (11, 'c-1');
      INSERT INTO replies VALUES (21, 11)`),
  );

  it('holds the request, and is named with its children', async () => {
    expect(await previewOf(open([REPLIES, TICKETS, PEOPLE]))).toMatchObject({
      outcome: 'held',
      reason: 'no_usable_identity',
      detail: expect.stringMatching(/tickets, replies.*when_unmatched: skip/),
    });
  });

  it('is not excused by the setting of the target', async () => {
    expect(await previewOf(open([TICKETS, PEOPLE], skip))).toMatchObject({
      outcome: 'held',
      reason: 'no_usable_identity',
    });
  });

  it('is skipped if it says so itself, and the preview names it', async () => {
    const tables = [{ ...REPLIES, ...skip }, { ...TICKETS, ...skip }, PEOPLE];
    const { previews } = await eraseWhole(open(tables));
    expect(isFound(previews[0])).toMatchObject({
      counts: { people: 1 },
      skipped: ['tickets', 'replies'],
    });
    expect(await ids('people')).toEqual([]);
    expect(await ids('tickets')).toEqual([11]);
  });

  it('is not skipped if its parent can be searched', async () => {
    const tables = [{ ...REPLIES, ...skip }, TICKETS, { ...PEOPLE, ...skip }];
    const { previews } = await eraseWhole(open(tables), aSubject(1, [customerId('c-1')]));
    expect(isFound(previews[0])).toMatchObject({
      counts: { tickets: 1, replies: 1 },
      skipped: ['people'],
    });
    expect(await ids('replies')).toEqual([]);
  });

  it('is searched if the request has an identity for every table', async () => {
    const both = aSubject(1, [email(JANE), customerId('c-1')]);
    await eraseWhole(open([REPLIES, TICKETS, PEOPLE]), both);
    for (const table of ['people', 'tickets', 'replies']) expect(await ids(table)).toEqual([]);
  });

  it('does not hold up the others in the batch', async () => {
    const both = aSubject(2, [email(JANE), customerId('c-1')]);
    const previews = await open([TICKETS, PEOPLE]).preview([jane(1), both]);
    expect(previews.map(({ outcome }) => outcome)).toEqual(['held', 'found']);
  });
});
