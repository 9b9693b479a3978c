// A reference that cannot become NULL: nobody is told to let it.
import { expect } from 'vitest';
import { describeOnEach, itOn, tables, withTarget } from '../misled-target.ts';

const schemaOf = (required: string) => `
  CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(60));
  CREATE TABLE notes (id INTEGER PRIMARY KEY, user_id INTEGER ${required},
    FOREIGN KEY (user_id) REFERENCES users (id));
  INSERT INTO users VALUES (1, 'jane@x.org');
  INSERT INTO notes VALUES (10, 1)`;
const PLAN = ['tenancy: none', tables('{ table: users, match: { email: email } }')];

describeOnEach('on %s, "detach" is advised', (kind) => {
  itOn(kind).each([
    ['NOT NULL', false],
    ['', true],
  ])('for a column that is %j: %s', (required, isAdvised) =>
    withTarget(kind, schemaOf(required), PLAN, async (shop) => {
      await shop.request();
      const { outcomes } = await shop.run();
      expect(outcomes).toMatchObject([{ outcome: 'held', reason: 'unplanned_change' }]);
      const told = JSON.stringify([await shop.warnings(), outcomes]);
      expect(told.includes('detach: [notes.user_id]')).toBe(isAdvised);
    }),
  );
});
