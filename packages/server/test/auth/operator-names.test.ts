// Names of operators in the audit log: none looks like another's.
import { expect, it } from 'vitest';
import { CLIENT_NAME } from '../../src/auth/operator/operator-clients.ts';
import { nameOf } from '../../src/auth/operator/sso/person.ts';

it.each([
  ['a zero-width space', 'client\u200b:nightly'],
  ['a word joiner', 'an\u2060na@example.com'],
  ['a change of direction', '\u202eanna'],
  ['a byte order mark', '\ufeffanna'],
  ['a control character', 'anna\u0007'],
  ['a private character', 'anna\ue000'],
])('a name with %s is refused', (_, name) => {
  expect(nameOf(name, 'subject-7')).toBe('subject-7');
  expect(CLIENT_NAME.test(name)).toBe(false);
});

it('names of people and scripts are accepted', () => {
  expect(nameOf('Ännchen von Tharau', 's')).toBe('Ännchen von Tharau');
  expect(nameOf('client:nightly', 's')).toBe('s');
  expect(CLIENT_NAME.test('nightly report')).toBe(true);
});
