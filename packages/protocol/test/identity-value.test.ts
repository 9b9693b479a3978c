import { describe, expect, it } from 'vitest';
import { isIdentityValue } from '../src/index.ts';

const codePoint = (value: number) => String.fromCodePoint(value);

/** Unicode Cc: C0, DEL and C1. */
const CONTROLS = [...Array(0x20).keys(), ...Array.from({ length: 0x21 }, (_, i) => 0x7f + i)];

describe('an identity value', () => {
  it.each([
    ['an address', 'jane@example.com'],
    ['what is no address at all', '12abc'],
    ['a wildcard', '%'],
    ['quoted SQL', "' OR '1'='1"],
    ['markup', '<script>alert(1)</script>'],
    ['inner spaces', 'jane q public'],
    ['leading zeros', '0123'],
    ['a Kelvin sign', '\u212aelly@example.com'],
    ['a combining accent', 'Jose\u0301'],
    ['emoji', '👩‍👩‍👧'],
    ['right-to-left text', 'שלום'],
    ['a zero-width space, which is no white space', '\u200bx'],
    ['a single character', 'a'],
  ])('is opaque and may be %s', (_, text) => {
    expect(isIdentityValue(text)).toBe(true);
  });

  it.each([
    ['a space', ' '],
    ['a no-break space', '\u00a0'],
    ['an ideographic space', '\u3000'],
    ['an en quad', '\u2000'],
    ['a line separator', '\u2028'],
    ['a paragraph separator', '\u2029'],
    ['an Ogham space', '\u1680'],
    ['a zero-width no-break space', '\ufeff'],
  ])('has no white space at either end: %s', (_, space) => {
    expect(isIdentityValue(`${space}jane`)).toBe(false);
    expect(isIdentityValue(`jane${space}`)).toBe(false);
    expect(isIdentityValue(space)).toBe(false);
    expect(isIdentityValue(`ja${space}ne`)).toBe(true);
  });

  it('has none of the 65 control characters, wherever they stand', () => {
    expect(CONTROLS).toHaveLength(65);
    for (const control of CONTROLS.map(codePoint)) {
      expect(isIdentityValue(`${control}jane`)).toBe(false);
      expect(isIdentityValue(`ja${control}ne`)).toBe(false);
      expect(isIdentityValue(`jane${control}`)).toBe(false);
    }
  });
});
