import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isSubjectRequestId } from '../src/index.ts';

describe('a subject_request_id', () => {
  it('is what randomUUID makes', () => {
    for (let i = 0; i < 100; i++) expect(isSubjectRequestId(randomUUID())).toBe(true);
  });

  it.each([
    ['small letters', 'a7551968-d5d6-44b2-9831-815ac9017798'],
    ['capitals', 'A7551968-D5D6-44B2-9831-815AC9017798'],
    ['mixed letters', 'a7551968-D5d6-44b2-9831-815aC9017798'],
    ['variant 8', '00000000-0000-4000-8000-000000000000'],
    ['variant 9', '00000000-0000-4000-9000-000000000000'],
    ['variant a', '00000000-0000-4000-a000-000000000000'],
    ['variant B', 'ffffffff-ffff-4fff-Bfff-ffffffffffff'],
  ])('may have %s', (_, text) => {
    expect(isSubjectRequestId(text)).toBe(true);
  });

  it.each([
    ['version 1', 'a7551968-d5d6-14b2-9831-815ac9017798'],
    ['version 3', 'a7551968-d5d6-34b2-9831-815ac9017798'],
    ['version 5', 'a7551968-d5d6-54b2-9831-815ac9017798'],
    ['version 7', 'a7551968-d5d6-74b2-9831-815ac9017798'],
    ['variant 7', 'a7551968-d5d6-44b2-7831-815ac9017798'],
    ['variant c', 'a7551968-d5d6-44b2-c831-815ac9017798'],
    ['the nil UUID', '00000000-0000-0000-0000-000000000000'],
    ['the max UUID', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    ['no hyphens', 'a7551968d5d644b29831815ac9017798'],
    ['misplaced hyphens', 'a755196-8d5d6-44b2-9831-815ac9017798'],
    ['braces', '{a7551968-d5d6-44b2-9831-815ac9017798}'],
    ['the urn prefix', 'urn:uuid:a7551968-d5d6-44b2-9831-815ac9017798'],
    ['a letter beyond f', 'g7551968-d5d6-44b2-9831-815ac9017798'],
    ['35 characters', 'a7551968-d5d6-44b2-9831-815ac901779'],
    ['37 characters', 'a7551968-d5d6-44b2-9831-815ac90177980'],
    ['white space before it', ' a7551968-d5d6-44b2-9831-815ac9017798'],
    ['a line feed after it', 'a7551968-d5d6-44b2-9831-815ac9017798\n'],
    ['a NUL after it', 'a7551968-d5d6-44b2-9831-815ac9017798\0'],
    ['full-width digits', '\uff117551968-d5d6-44b2-9831-815ac9017798'],
    ['en dashes', 'a7551968\u2013d5d6\u201344b2\u20139831\u2013815ac9017798'],
    ['a number', '0'],
    ['nothing', ''],
  ])('may not have, or be, %s', (_, text) => {
    expect(isSubjectRequestId(text)).toBe(false);
  });
});
