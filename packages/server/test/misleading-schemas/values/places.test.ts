// Where somebody lives, as a point: overwritten with NULL, in a column that no text is compared with.
import { describe, expect } from 'vitest';
import { itOn, tables, withTarget } from '../misled-target.ts';

describe('a column of points', () => {
  itOn('MariaDB').each(['POINT', 'GEOMETRY'])('is overwritten with NULL (%s)', (type) =>
    withTarget(
      'MariaDB',
      `CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(60), home ${type} NULL);
       INSERT INTO users VALUES (1, 'jane@x.org', POINT(1, 2)), (2, 'bob@x.org', POINT(3, 4))`,
      [
        'tenancy: none',
        tables('{ table: users, match: { email: email }, action: { overwrite: { home: null } } }'),
      ],
      async (shop) => {
        expect(await shop.problems()).toEqual([]);
        const request = await shop.request();
        await shop.run();
        expect(await shop.statusOf(request)).toBe('completed');
        expect(await shop.count('users WHERE home IS NULL')).toBe(1);
      },
    ),
  );
});
