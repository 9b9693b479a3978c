// A listed trigger that deletes rows of the person which the plan deletes too, after the rows that fire it.
import { describe, expect } from 'vitest';
import { describeOnEach, held, itOn, type Kind, tables, withTarget } from '../misled-target.ts';

const PEOPLE = '{ table: people, match: { email: email } }';
const VOTES = '{ table: votes, via: { people: { person_id: id } } }';
const LIKED = '{ table: liked, via: { people: { person_id: id } } }';
const SCHEMA = `
  CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(100));
  CREATE TABLE votes (id INTEGER PRIMARY KEY, person_id INTEGER);
  CREATE TABLE liked (id INTEGER PRIMARY KEY, vote_id INTEGER, person_id INTEGER);
  INSERT INTO people VALUES (1, 'jane@x.org'), (2, 'bob@x.org');
  INSERT INTO votes VALUES (1, 1), (2, 2), (3, 1);
  INSERT INTO liked VALUES (1, 1, 1), (2, 2, 2), (3, NULL, 1)`;

function triggered(kind: Kind, body: string): string {
  const head = 'CREATE TRIGGER listed AFTER DELETE ON votes FOR EACH ROW';
  if (kind !== 'PostgreSQL') return `${SCHEMA}; ${head} BEGIN ${body}; END`;
  return `${SCHEMA};
    CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body}; RETURN NULL; END $$;
    ${head} EXECUTE FUNCTION f()`;
}

const settings = (...list: readonly string[]) => [
  'tenancy: none',
  'triggers: [listed]',
  'cascades: [liked]',
  tables(...list),
];

describeOnEach('a listed trigger on %s', (kind) => {
  itOn(kind)('that deletes rows of the person which were to be overwritten is told', () =>
    withTarget(
      kind,
      triggered(kind, 'DELETE FROM liked WHERE vote_id = OLD.id'),
      settings(VOTES, LIKED.replace(/}$/, ', action: { overwrite: { vote_id: 0 } } }'), PEOPLE),
      async (shop) => {
        await shop.request();
        expect(await shop.run()).toMatchObject({
          outcomes: [
            {
              reason: 'unplanned_change',
              detail: expect.stringContaining('list liked before the table whose trigger'),
            },
          ],
        });
        expect(await shop.count('liked')).toBe(3);
      },
    ),
  );

  itOn(kind)('that deletes rows of the person after their turn in the plan', () =>
    withTarget(
      kind,
      triggered(kind, 'DELETE FROM liked WHERE vote_id = OLD.id'),
      settings(LIKED, VOTES, PEOPLE),
      async (shop) => {
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.count('liked')).toBe(1);
      },
    ),
  );
});

describe.each(['SQLite', 'PostgreSQL'] as const)('a listed trigger on %s', (kind) => {
  itOn(kind)('that deletes rows of the person before their turn in the plan', () =>
    withTarget(
      kind,
      triggered(kind, 'DELETE FROM liked WHERE vote_id = OLD.id'),
      settings(VOTES, LIKED, PEOPLE),
      async (shop) => {
        expect(await shop.problems()).toEqual([]);
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.evidenceOf(request)).toMatchObject({
          tables: { votes: { rows: 2 }, liked: { rows: 2 }, people: { rows: 1 } },
        });
        expect(await shop.count('liked')).toBe(1);
        expect(await shop.count('liked WHERE id = 2')).toBe(1);
      },
    ),
  );

  itOn(kind)('that gives rows of the person another key instead of deleting them', () =>
    withTarget(
      kind,
      triggered(kind, 'UPDATE liked SET id = id + 100 WHERE vote_id = OLD.id'),
      settings(VOTES, LIKED, PEOPLE),
      async (shop) => {
        await shop.request();
        expect(await shop.run()).toMatchObject(held('unplanned_change'));
        expect(await shop.count('liked WHERE id < 100')).toBe(3);
      },
    ),
  );

  itOn(kind)('that deletes rows of the person and of somebody else', () =>
    withTarget(
      kind,
      triggered(kind, 'DELETE FROM liked WHERE vote_id = OLD.id OR id = 2'),
      settings(VOTES, LIKED, PEOPLE),
      async (shop) => {
        await shop.request();
        expect(await shop.run()).toMatchObject(held('unplanned_change'));
        expect(await shop.count('liked')).toBe(3);
      },
    ),
  );
});

describe('a listed trigger on MariaDB', () => {
  // It does not say whether a trigger has deleted rows or has given them another key.
  itOn('MariaDB')(
    'that deletes rows of the person before their turn holds, and says the order',
    () =>
      withTarget(
        'MariaDB',
        triggered('MariaDB', 'DELETE FROM liked WHERE vote_id = OLD.id'),
        settings(VOTES, LIKED, PEOPLE),
        async (shop) => {
          const request = await shop.request();
          expect(await shop.run()).toMatchObject({
            outcomes: [
              {
                reason: 'unplanned_change',
                detail: expect.stringContaining('list liked before the table whose trigger'),
              },
            ],
          });
          shop.configure(settings(LIKED, VOTES, PEOPLE));
          await shop.release(request);
          await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
        },
      ),
  );
});
