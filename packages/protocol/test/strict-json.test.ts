import { describe, expect, it } from 'vitest';
import { readStrictJson, StrictJsonError } from '../src/index.ts';

function read(text: string): unknown {
  return readStrictJson(Buffer.from(text));
}

function problemOf(body: string | Uint8Array): string {
  try {
    readStrictJson(typeof body === 'string' ? Buffer.from(body) : body);
  } catch (error) {
    if (error instanceof StrictJsonError) return error.message;
    throw error;
  }
  throw new Error('the body was accepted');
}

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const nestedObjects = (levels: number) =>
  `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;

describe('strict JSON', () => {
  it.each([
    ['an object', '{"a":[1,{"b":null}],"c":"d"}', { a: [1, { b: null }], c: 'd' }],
    ['white space of all four kinds', ' \t\r\n{ "a" :\n1 } ', { a: 1 }],
    ['a bare string', '"text"', 'text'],
    ['a bare null', 'null', null],
    ['escapes', '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9"', '"\\/\b\f\n\r\té'],
    ['a whole surrogate pair, escaped', '"\\ud83d\\ude00"', '😀'],
    ['a whole surrogate pair, raw', '"😀"', '😀'],
    ['a noncharacter, which is still a character', '"\uffff"', '\uffff'],
    ['braces, colons and quotes inside strings', '{"{[:\\"":"\\\\"}', { '{[:"': '\\' }],
    ['the same key in different objects', '[{"a":1},{"a":{"a":2}}]', [{ a: 1 }, { a: { a: 2 } }]],
    ['keys that differ only in case', '{"a":1,"A":2}', { a: 1, A: 2 }],
    ['keys that differ only in normalisation', '{"é":1,"e\u0301":2}', { é: 1, 'e\u0301': 2 }],
    ['an empty key', '{"":1}', { '': 1 }],
    ['a byte order mark inside a string', '"a\ufeff"', 'a\ufeff'],
  ])('reads %s', (_, text, value) => {
    expect(read(text)).toEqual(value);
  });

  it.each(['1e400', '-1e400', '1e-400', '123456789012345678901234567890', '-0', '0.1E+2'])(
    'reads any grammatical number, such as %s',
    (text) => {
      expect(read(`{"ignored":${text}}`)).toEqual({ ignored: Number(text) });
    },
  );

  it('keeps __proto__, constructor and toString as ordinary keys', () => {
    const value = read('{"__proto__":{"admin":true},"constructor":1,"toString":2}') as object;
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect('admin' in value).toBe(false);
    expect('admin' in {}).toBe(false);
  });

  it.each([
    ['side by side', '{"a":1,"a":1}'],
    ['far apart', '{"a":1,"b":{"c":2},"a":3}'],
    ['deep inside', '{"x":[{"y":{"a":1,"a":2}}]}'],
    ['when one is written with an escape', '{"a":1,"\\u0061":2}'],
    ['when both are written with different escapes', '{"\\u006A":1,"\\u006a":2}'],
    ['when it is __proto__', '{"__proto__":1,"__proto__":2}'],
    ['when it is empty', '{"":1,"":2}'],
    ['when it looks like an array index', '{"0":1,"0":2}'],
    ['when the first value is an object', '{"a":{"b":1,"c":2},"a":null}'],
  ])('refuses a key that is there twice %s', (_, text) => {
    expect(problemOf(text)).toBe(
      'The body has an object with the same key twice; send each key once',
    );
  });

  it.each([
    ['a high surrogate alone', '"\\ud800"'],
    ['a low surrogate alone', '"\\udc00"'],
    ['a pair in the wrong order', '"\\ude00\\ud83d"'],
    ['a high surrogate before a letter', '"\\ud83dx"'],
    ['a key', '{"\\udfff":1}'],
    ['a string deep inside', '{"a":[[{"b":"x\\uD800"}]]}'],
  ])('refuses a lone surrogate: %s', (_, text) => {
    expect(problemOf(text)).toContain('lone surrogate');
  });

  it.each(['"\\u0000"', '{"a\\u0000":1}', '{"a":["b",{"c":"d\\u0000e"}]}'])(
    'refuses an escaped NUL: %s',
    (text) => {
      expect(problemOf(text)).toContain('NUL');
    },
  );

  it.each([
    ['inside a string', '"a\0b"'],
    ['inside a key', '{"a\0":1}'],
    ['between tokens', '{\0}'],
    ['after the value', '{}\0'],
    ['alone', '\0'],
  ])('refuses a raw NUL %s', (_, text) => {
    expect(problemOf(text)).toMatch(/^The body is not valid JSON/);
  });

  it('reads an escaped backslash before u0000 as plain text', () => {
    expect(read('"\\\\u0000"')).toBe('\\u0000');
  });

  it.each([
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['a truncated sequence', [0x22, 0xe2, 0x82, 0x22]],
    ['a sequence cut by the end', [0x22, 0xf0, 0x9f, 0x98]],
    ['a surrogate in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['beyond U+10FFFF', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
    ['Latin-1', [0x22, 0xe9, 0x22]],
    ['a stray continuation byte', [0x22, 0x80, 0x22]],
    ['UTF-16 with its mark', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])('refuses bytes that are not UTF-8: %s', (_, bytes) => {
    expect(problemOf(Uint8Array.from(bytes))).toContain('not valid UTF-8');
  });

  it('refuses UTF-16 without its mark', () => {
    expect(problemOf(Buffer.from('{"a":1}', 'utf16le'))).toContain('not valid JSON');
  });

  it('refuses a byte order mark', () => {
    expect(problemOf('\ufeff{}')).toContain('byte order mark');
  });

  it('refuses an empty body', () => {
    expect(problemOf('')).toContain('empty');
  });

  it.each([nested, nestedObjects])('reads 32 levels and refuses 33', (make) => {
    expect(() => read(make(32))).not.toThrow();
    expect(problemOf(make(33))).toBe('The body is nested deeper than 32 levels');
  });

  it('refuses 500,000 levels without running out of stack', () => {
    expect(problemOf('['.repeat(500_000))).toContain('nested');
    expect(problemOf('{"a":'.repeat(500_000))).toContain('nested');
  });

  it('does not count brackets inside strings as levels', () => {
    expect(read(`{"a":"${'['.repeat(100)}"}`)).toEqual({ a: '['.repeat(100) });
  });

  it.each([
    '{',
    '}',
    '{]',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '[1,]',
    '[1 2]',
    "{'a':1}",
    '{a:1}',
    '{"a":1}{"a":1}',
    '{"a":1} x',
    '// comment\n{}',
    '/* comment */{}',
    'NaN',
    'Infinity',
    'undefined',
    '01',
    '+1',
    '.5',
    '1.',
    '1e',
    '0x10',
    '1_000',
    'True',
    '"unclosed',
    '"a\\"',
    '"\\x41"',
    '"\\u12"',
    '"raw\ntab"',
    '"raw\ttab"',
    '\u00a0{}',
    '\v{}',
    '   ',
    ':',
  ])('refuses what is not JSON: %j', (text) => {
    expect(problemOf(text)).toMatch(/^The body is not valid JSON( \(near character \d+\))?$/);
  });

  it('never repeats a part of the text in its message', () => {
    const secret = 'jane@example.com';
    for (const text of [
      `{"a":"${secret}"`,
      `{"a":${secret}}`,
      `${secret}`,
      `{"${secret}":1,"${secret}":2}`,
      `{"a":"${secret}\\u0000"}`,
      `{"a":"${secret}\\ud800"}`,
    ]) {
      expect(problemOf(text)).not.toMatch(/jane|example/);
    }
  });
});
