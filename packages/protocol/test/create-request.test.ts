import { describe, expect, it } from 'vitest';
import { isCreateRequestBody } from '../src/index.ts';
import { identity, requestBody } from './helpers/request-body.ts';

const REQUIRED = ['regulation', 'subject_request_id', 'subject_request_type', 'submitted_time'];
const IDENTITY_FIELDS = ['identity_type', 'identity_value', 'identity_format'];

/** What stands where a string belongs. */
const NOT_STRINGS = [null, 0, Number.POSITIVE_INFINITY, true, [], {}, ['gdpr']];

function accepts(changes: Record<string, unknown>): boolean {
  return isCreateRequestBody(requestBody(changes));
}

function without(object: Record<string, unknown>, name: string): Record<string, unknown> {
  const { [name]: _, ...rest } = object;
  return rest;
}

describe('the body of a create request', () => {
  it.each(['gdpr', 'ccpa'])('may name the regulation %s', (regulation) => {
    expect(accepts({ regulation })).toBe(true);
  });

  it.each(['GDPR', 'Ccpa', 'lgpd', 'gdpr ', ''])('may not name the regulation %j', (regulation) => {
    expect(accepts({ regulation })).toBe(false);
  });

  it.each(['access', 'portability', 'Erasure', 'erasure ', ''])(
    'may not ask for the type %j',
    (type) => {
      expect(accepts({ subject_request_type: type })).toBe(false);
    },
  );

  it.each(REQUIRED)('must have %s', (name) => {
    expect(isCreateRequestBody(requestBody())).toBe(true);
    expect(isCreateRequestBody(without(requestBody(), name))).toBe(false);
  });

  it.each(REQUIRED)('must have a string as %s', (name) => {
    for (const value of NOT_STRINGS) expect(accepts({ [name]: value })).toBe(false);
  });

  it.each(['2023-02-30T00:00:00Z', '2026-11-15', '2026-11-15T02:00:00', '2026-11-15T24:00:00Z'])(
    'may not have the submitted_time %s',
    (submitted_time) => {
      expect(accepts({ submitted_time })).toBe(false);
    },
  );

  it.each(['0', 'a7551968-d5d6-14b2-9831-815ac9017798', 'a7551968d5d644b29831815ac9017798'])(
    'may not have the subject_request_id %s',
    (id) => {
      expect(accepts({ subject_request_id: id })).toBe(false);
    },
  );

  it.each(['subject_identities', 'status_callback_urls', 'api_version'])(
    'may leave out %s or send null for it',
    (name) => {
      expect(isCreateRequestBody(without(requestBody(), name))).toBe(true);
      expect(accepts({ [name]: null })).toBe(true);
    },
  );

  it('may have the api_version 2.0 and no other', () => {
    expect(accepts({ api_version: '2.0' })).toBe(true);
    for (const version of ['1.0', '2', '2.1', '2.00', 'v2.0', '', 2, 2.0, ['2.0']]) {
      expect(accepts({ api_version: version })).toBe(false);
    }
  });

  it('may have any array as status_callback_urls and nothing else', () => {
    for (const urls of [[], ['https://example.com/cb'], ['not a URL', 7, null, {}]]) {
      expect(accepts({ status_callback_urls: urls })).toBe(true);
    }
    for (const urls of ['https://example.com/cb', {}, 0, false]) {
      expect(accepts({ status_callback_urls: urls })).toBe(false);
    }
  });

  it('may have fields that are not known here, of any kind', () => {
    const extensions = { 'example-processor.com': { id: 1 } };
    expect(
      accepts({ extensions, controller_id: 'other', x: null, y: [Number.POSITIVE_INFINITY] }),
    ).toBe(true);
  });

  it('does not take its fields from a key named __proto__', () => {
    const body = JSON.parse(`{"__proto__":${JSON.stringify(requestBody())}}`);
    expect(isCreateRequestBody(body)).toBe(false);
  });

  it('is read from the body itself, never from its prototype', () => {
    expect(isCreateRequestBody(Object.create(requestBody()))).toBe(false);
  });

  it('may have __proto__, constructor and toString as ignored keys', () => {
    const keys = '"__proto__":{"regulation":7},"constructor":1,"toString":null';
    const body = JSON.parse(`{${keys},${JSON.stringify(requestBody()).slice(1)}`);
    expect(isCreateRequestBody(body)).toBe(true);
  });

  it.each([null, [], 0, '', 'text', true, undefined])('must be an object, not %j', (body) => {
    expect(isCreateRequestBody(body)).toBe(false);
  });
});

describe('the identities of a create request', () => {
  it('may be none', () => {
    expect(accepts({ subject_identities: [] })).toBe(true);
  });

  it('may be up to 500', () => {
    const one = identity('email', 'jane@example.com');
    expect(accepts({ subject_identities: Array(500).fill(one) })).toBe(true);
    expect(accepts({ subject_identities: Array(501).fill(one) })).toBe(false);
  });

  it.each(['email', 'controller_customer_id'])('may be of type %s', (type) => {
    expect(accepts({ subject_identities: [identity(type, 'x')] })).toBe(true);
  });

  it.each(['phone', 'Email', 'ios_advertising_id', '', 'email '])(
    'may not be of type %j',
    (type) => {
      expect(accepts({ subject_identities: [identity(type, 'x')] })).toBe(false);
    },
  );

  it.each(['sha256', 'md5', 'sha1', 'RAW', ''])('may not be in the format %j', (format) => {
    const one = { ...identity('email', 'x'), identity_format: format };
    expect(accepts({ subject_identities: [one] })).toBe(false);
  });

  it.each(IDENTITY_FIELDS)('must have %s, and as a string', (name) => {
    const one = identity('email', 'jane@example.com');
    expect(accepts({ subject_identities: [without(one, name)] })).toBe(false);
    for (const value of NOT_STRINGS) {
      expect(accepts({ subject_identities: [{ ...one, [name]: value }] })).toBe(false);
    }
  });

  it.each([
    ['ASCII', 'x'],
    ['astral characters', '😀'],
    ['accented letters', 'é'],
    ['combining marks', '\u0301'],
  ])('have a value of 1 to 1,024 code points: %s', (_, character) => {
    const value = (length: number) => [identity('email', character.repeat(length))];
    expect(accepts({ subject_identities: value(0) })).toBe(false);
    expect(accepts({ subject_identities: value(1) })).toBe(true);
    expect(accepts({ subject_identities: value(1024) })).toBe(true);
    expect(accepts({ subject_identities: value(1025) })).toBe(false);
  });

  it.each([' ', 'jane ', '\tjane', 'ja\nne', 'jane\u007f', 'ja\u0085ne', '\u00a0jane'])(
    'may not have the value %j',
    (value) => {
      expect(accepts({ subject_identities: [identity('email', value)] })).toBe(false);
    },
  );

  it('may have fields that are not known here', () => {
    const one = { ...identity('email', 'jane@example.com'), note: 'ignored' };
    expect(accepts({ subject_identities: [one] })).toBe(true);
  });

  it('must all be right, to the last', () => {
    const good = identity('email', 'jane@example.com');
    const identities = [...Array(499).fill(good), identity('email', '')];
    expect(accepts({ subject_identities: identities })).toBe(false);
  });

  it.each(['jane@example.com', {}, 0, true])('must be an array, not %j', (value) => {
    expect(accepts({ subject_identities: value })).toBe(false);
  });

  it.each(['jane@example.com', null, [], 0])('must each be an object, not %j', (value) => {
    expect(accepts({ subject_identities: [value] })).toBe(false);
  });
});
