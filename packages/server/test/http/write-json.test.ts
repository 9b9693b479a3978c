import { describe, expect, it } from 'vitest';
import { asciiJson } from '../../src/http/write-json.ts';

describe('a text that is written as bytes', () => {
  it('is ASCII whatever the value holds, and means the same', () => {
    const value = { message: 'the role "Löschadmin €" is missing \u{1f600}' };
    const text = asciiJson(value);
    expect(text).toMatch(/^[\x20-\x7e]*$/);
    expect(JSON.parse(text)).toEqual(value);
  });
});
