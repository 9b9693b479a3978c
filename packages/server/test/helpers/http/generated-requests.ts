// Request lines, headers and tokens as fast-check makes them: text that is well-formed HTTP and means anything.
import fc from 'fast-check';

/** What may be in a target or a header without ending it. */
const visible = fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code));
const target = visible.filter((letter) => letter.charCodeAt(0) !== 0x7f);

const KNOWN = [
  'discovery',
  'requests',
  'v2',
  'oauth',
  'token',
  '.well-known',
  'jwks.json',
  'openapi.json',
  'docs',
  'static',
  'health',
  'ready',
  'live',
  'receipts',
  'keys',
  'metrics',
  'version',
  '..',
  '.',
  '',
  '%2e%2e',
  '%2f',
  '%00',
  '%',
  '%zz',
  '%c3%28',
  '__proto__',
  'constructor',
  ';',
  '*',
];

export const path: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...KNOWN) },
        { weight: 1, arbitrary: fc.uuid({ version: 4 }) },
        { weight: 2, arbitrary: fc.array(target, { maxLength: 12 }).map((all) => all.join('')) },
      ),
      { maxLength: 6 },
    ),
    fc.option(fc.array(target, { maxLength: 20 }).map((all) => all.join(''))),
  )
  .map(([parts, query]) => `/${parts.join('/')}${query === null ? '' : `?${query}`}`);

export const method: fc.Arbitrary<string> = fc.constantFrom(
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'PROPFIND',
  'LINK',
  'TRACE',
);

const HEADER_NAMES = [
  'Accept',
  'Accept-Encoding',
  'Content-Type',
  'Content-Encoding',
  'Range',
  'If-None-Match',
  'If-Modified-Since',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'Forwarded',
  'X-Request-Id',
  'Via',
  'Origin',
  'Cookie',
  'Referer',
  'User-Agent',
  'Accept-Version',
  'X-HTTP-Method-Override',
  'Authorization',
  'Traceparent',
  'Te',
  '__proto__',
  'constructor',
  'Max-Forwards',
  'Date',
];

const value = fc.array(fc.oneof(visible, fc.constant(' ')), { maxLength: 60 });

export const headers: fc.Arbitrary<string[]> = fc.array(
  fc
    .tuple(fc.constantFrom(...HEADER_NAMES), value)
    .map(([name, letters]) => `${name}: ${letters.join('')}`),
  { maxLength: 8 },
);

const part = fc.oneof(
  fc.json({ maxDepth: 2 }).map((text) => Buffer.from(text).toString('base64url')),
  fc
    .record({
      alg: fc.constantFrom('ES256', 'none', 'HS256', null),
      kid: fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 1 })),
      typ: fc.constantFrom('at+jwt', 'JWT'),
      exp: fc.oneof(fc.integer(), fc.constant(Number.MAX_VALUE), fc.string()),
      iss: fc.webUrl(),
    })
    .map((claims) => Buffer.from(JSON.stringify(claims)).toString('base64url')),
  fc.base64String({ maxLength: 80 }),
  fc.constantFrom('', 'e30', 'bnVsbA', 'W10', '\u00ff'),
);

/** Of three parts mostly. */
export const token: fc.Arbitrary<string> = fc
  .array(part, { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join('.'));
