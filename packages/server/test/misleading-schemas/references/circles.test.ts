// Rows that refer to themselves, or to each other in a circle, by a column that may not be NULL.
import { expect } from 'vitest';
import { describeOnEach, itOn, type Kind, tables, withTarget } from '../misled-target.ts';

const SETTINGS = ['tenancy: none', tables('{ table: people, match: { email: email } }')];
const people = (action: string) => `
  CREATE TABLE people (id INTEGER PRIMARY KEY, email VARCHAR(100), boss INTEGER NOT NULL,
    FOREIGN KEY (boss) REFERENCES people (id) ON DELETE ${action});
  INSERT INTO people VALUES (1, 'jane@x.org', 1), (2, 'jane@x.org', 1), (3, 'bob@x.org', 3)`;
const CIRCLE = 'UPDATE people SET boss = 2 WHERE id = 1';

const ACTIONS = ['NO ACTION', 'RESTRICT', 'CASCADE'] as const;

/** What a database does not let go. */
function isStuck(kind: Kind, action: (typeof ACTIONS)[number], isCircle: boolean): boolean {
  if (kind === 'PostgreSQL' || action === 'CASCADE') return false;
  return kind === 'MariaDB' || (action === 'RESTRICT' && isCircle);
}

describeOnEach('on %s, rows that refer', (kind) => {
  for (const action of ACTIONS) {
    for (const [what, before] of [
      ['to themselves', 'SELECT 1'],
      ['to each other', CIRCLE],
    ] as const) {
      const stuck = isStuck(kind, action, before === CIRCLE);
      itOn(kind)(`${what} ${stuck ? 'are held with the way out' : 'go'} (${action})`, () =>
        withTarget(kind, people(action), SETTINGS, async (shop) => {
          await shop.query(before);
          expect(await shop.problems()).toEqual([]);
          const warned = (await shop.warnings()).some((line) => line.includes('in a circle'));
          expect(warned).toBe(isStuck(kind, action, true));
          const request = await shop.request();
          const { outcomes } = await shop.run();
          expect(await shop.count('people WHERE id = 3')).toBe(1);
          if (!stuck) {
            expect(await shop.statusOf(request)).toBe('completed');
            expect(await shop.evidenceOf(request)).toMatchObject({
              tables: { people: { rows: 2 } },
            });
            return;
          }
          expect(outcomes).toMatchObject([
            {
              reason: 'unplanned_change',
              detail: expect.stringMatching(/in a circle \(boss\).*let the column be NULL/),
            },
          ]);
          expect(await shop.count('people')).toBe(3);
          if (kind !== 'MariaDB') return;
          await shop.query('ALTER TABLE people MODIFY boss INTEGER NULL');
          await shop.release(request);
          await shop.run();
          expect(await shop.statusOf(request)).toBe('completed');
        }),
      );
    }
  }
});
