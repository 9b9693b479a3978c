import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTextHmac, keyOfTexts } from '../../src/vault/text-hmac.ts';

/** Any characters. fast-check's own unit for them takes seconds to be made. */
const anyText = fc
  .array(fc.nat({ max: 0x10ffff }), { maxLength: 300 })
  .map((points) => String.fromCodePoint(...points));

it('computes the same as HMAC-SHA-256, for any text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const secret = randomBytes(32);
      const expected = createHmac('sha256', keyOfTexts(secret)).update(text).digest('latin1');
      const hmac = createTextHmac(secret);
      expect(hmac(text)).toBe(expected);
      expect(hmac(text)).toBe(expected);
    }),
  );
});

it('refuses a secret whose hexadecimal text is not one block', () => {
  expect(() => createTextHmac(randomBytes(31))).toThrow('32 bytes');
});
