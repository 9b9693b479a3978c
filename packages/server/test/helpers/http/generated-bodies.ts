// Bodies of POST /requests as fast-check makes them: from noise to nearly valid.
import fc from 'fast-check';
import { identity, requestBody } from './request-body.ts';

const FIELDS = [
  'regulation',
  'subject_request_id',
  'subject_request_type',
  'submitted_time',
  'subject_identities',
  'status_callback_urls',
  'api_version',
  '__proto__',
  'constructor',
  'toString',
  '',
];

const noise = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes));

const jsonTokens = fc
  .array(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '\\u',
      '\\ud83d',
      '\\u0000',
      '0',
      '1e400',
      '-',
      'null',
      'true',
      ' ',
      '\n',
      '\ufeff',
      '\0',
      'é',
      '😀',
      '{"a":',
      '"__proto__":',
      ...FIELDS.map((field) => JSON.stringify(field)),
    ),
    { maxLength: 60 },
  )
  .map((tokens) => Buffer.from(tokens.join('')));

const anyJson = fc.json({ maxDepth: 6 }).map((text) => Buffer.from(text));

const timestamp = fc
  .date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());

const identityValue = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 40 })
  .filter((text) => text.trim() === text && !/\p{Cc}/u.test(text) && text.isWellFormed());

const identities = fc.array(
  fc.tuple(fc.constantFrom('email', 'controller_customer_id'), identityValue),
  { maxLength: 20 },
);

const validObject = fc
  .record({
    regulation: fc.constantFrom('gdpr', 'ccpa'),
    id: fc.uuid({ version: 4 }),
    submitted: timestamp,
    identities: fc.option(identities),
    version: fc.option(fc.constant('2.0')),
    callbacks: fc.option(fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 3 })),
  })
  .map(({ regulation, id, submitted, identities, version, callbacks }) =>
    requestBody({
      regulation,
      subject_request_id: id,
      submitted_time: submitted,
      subject_identities: identities?.map(([type, value]) => identity(type, value)) ?? null,
      status_callback_urls: callbacks,
      api_version: version,
    }),
  );

export const validBody = validObject.map((body) => Buffer.from(JSON.stringify(body)));

/** A valid body with some fields replaced by anything. */
const wrongFields = fc
  .tuple(
    validObject,
    fc.dictionary(fc.constantFrom(...FIELDS), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 3 }),
  )
  .map(([body, changes]) => Buffer.from(JSON.stringify({ ...body, ...changes })));

/** A valid body with a member put in as text: duplicates, escapes and depth come from here. */
const extraMember = fc
  .tuple(validObject, fc.constantFrom(...FIELDS), fc.json({ maxDepth: 3 }), fc.nat(40))
  .map(([body, field, value, depth]) => {
    const nested = `${'['.repeat(depth)}${value}${']'.repeat(depth)}`;
    return Buffer.from(`{${JSON.stringify(field)}:${nested},${JSON.stringify(body).slice(1)}`);
  });

/** A valid body with bytes cut out, put in or overwritten. */
const damaged = fc
  .tuple(
    validBody,
    fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.uint8Array({ maxLength: 3 })), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([body, cuts]) =>
    cuts.reduce((bytes, [place, length, insert]) => {
      const at = place % (bytes.length + 1);
      return Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + length)]);
    }, body),
  );

export const generatedBody: fc.Arbitrary<Buffer> = fc.oneof(
  noise,
  jsonTokens,
  anyJson,
  wrongFields,
  extraMember,
  damaged,
);
