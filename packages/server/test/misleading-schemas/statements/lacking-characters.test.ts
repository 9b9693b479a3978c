// Hand-written SQL on a column whose character set lacks a character of an identity: MySQL and MariaDB refuse
// to compare the two.
import { describe, expect } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';
import { itOn, withTarget } from '../misled-target.ts';

const SCHEMA = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, email VARCHAR(60) CHARACTER SET latin1);
  INSERT INTO users VALUES (1, 'jane@x.org'), (2, '?@x.org'), (3, 'bob@x.org')`;
const WHO = 'users WHERE email = :email';
const SETTINGS = [
  'tenancy: none',
  'sql:',
  `  preview: "SELECT count(*) FROM ${WHO}"`,
  `  erase: ["DELETE FROM ${WHO}"]`,
  `  verify: "SELECT count(*) FROM ${WHO}"`,
];
const SMILE = [new Identity('email', '😀@x.org')];

describe('an identity that a column cannot hold (MariaDB)', () => {
  itOn('MariaDB')('stops nobody else, and touches no row', () =>
    withTarget('MariaDB', SCHEMA, SETTINGS, async (shop) => {
      await shop.request(SMILE);
      // Not down: the target has no problem.
      expect(await shop.run()).toEqual({
        outcomes: [expect.objectContaining({ outcome: 'failed' })],
      });
      expect(await shop.count('users')).toBe(3);
      const jane = await shop.request();
      await shop.run();
      expect(await shop.statusOf(jane)).toBe('completed');
      expect(await shop.count("users WHERE email IN ('?@x.org', 'bob@x.org')")).toBe(2);
    }),
  );
});
