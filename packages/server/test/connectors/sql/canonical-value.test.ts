import { describe, expect, it } from 'vitest';
import { canonicalUuid, readNumber } from '../../../src/connectors/sql/canonical-value.ts';

describe('a UUID', () => {
  const UUID = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';

  it.each([
    UUID,
    UUID.toUpperCase(),
    `{${UUID}}`,
    UUID.replaceAll('-', ''),
    'a0ee-bc99-9c0b-4ef8-bb6d-6bb9-bd38-0a11',
  ])('has one spelling: %s', (text) => {
    expect(canonicalUuid(text)).toBe(UUID);
  });

  it.each(['', 'a0eebc99', `${UUID}0`, `{${UUID}`, ` ${UUID}`, UUID.replace('a', 'g')])(
    'is not read from %j',
    (text) => {
      expect(canonicalUuid(text)).toBeUndefined();
    },
  );
});

describe('a number in a text', () => {
  it.each(['0', '7', '123', '-5', '1.5', '0.25', '-0.1', '12345678901234567890'])(
    '%s is written canonically',
    (text) => {
      expect(readNumber(text)).toEqual({ canonical: text, isCanonical: true });
    },
  );

  it.each([
    ['00123', '123'],
    ['+7', '7'],
    [' 7 ', '7'],
    ['7.0', '7'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['-0', '0'],
    ['-0.0', '0'],
    ['1e3', '1000'],
    ['1.5E1', '15'],
    ['12e-1', '1.2'],
    ['5e-3', '0.005'],
    ['0e9', '0'],
    ['000', '0'],
  ])('%j is another spelling of %s', (text, canonical) => {
    expect(readNumber(text)).toEqual({ canonical, isCanonical: false });
  });

  it.each(['', ' ', '.', '-', 'e5', '1e', '0x10', '1,5', '1_000', 'NaN', 'Infinity', '7a', '١'])(
    'there is no number in %j',
    (text) => {
      expect(readNumber(text)).toBeUndefined();
    },
  );
});
