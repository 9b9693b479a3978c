import { expect, it } from 'vitest';
import { readCode, readCounts } from '../../../src/connectors/read-reported.ts';
import { Identity } from '../../../src/domain/request/identity.ts';
import { spells } from '../../../src/domain/request/spells-identity.ts';

it('an identity is found with other characters between its letters and digits', () => {
  for (const text of [
    'asked jane @example.org',
    'JANE_EXAMPLE_ORG',
    'jane-at: jane@example .org',
  ]) {
    expect(spells(text, 'jane@example.org'), text).toBe(true);
  }
  expect(spells('called +49 (170) 123-4567', '+491701234567')).toBe(true);
  expect(spells('asked janet at example.org', 'jane@example.org')).toBe(false);
});

it('short ones are inside of many words, and count only to the letter', () => {
  expect(spells('the annual report', 'ann-u')).toBe(false);
});

const subject = {
  taskNo: 1,
  controllerId: 'acme',
  subjectRequestId: 'a',
  identities: [new Identity('email', 'zq7@secret.example')],
} as unknown as Parameters<typeof readCode>[1];

it('an error code of a target that contains an identity is not passed on', () => {
  expect(readCode('failed_for_zq7_secret_example', subject)).toBe('target_error');
  expect(readCode('record_is_locked', subject)).toBe('record_is_locked');
});

it('counts of a target under a name that spells an identity are not passed on', () => {
  expect(readCounts({ 'zq7-secret.example': 1 }, subject)).toBeUndefined();
  expect(readCounts({ orders: 1 }, subject)).toEqual({ orders: 1 });
});
