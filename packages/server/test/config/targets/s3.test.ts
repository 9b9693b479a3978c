import { describe, expect, it } from 'vitest';
import { s3Target, useWrittenTargets } from './written-targets.ts';

const { problemsOf, read } = useWrittenTargets();

describe('a bucket', () => {
  it('has a default for whatever it need not say', () => {
    expect(read({ uploads: s3Target() })[0]).toMatchObject({
      account: { region: 'us-east-1', sessionToken: null },
      hasVersions: true,
      isShared: false,
      mode: 'erase',
      objects: [{ name: 'avatars', key: 'users/{email|lower}/', type: 'email' }],
    });
  });

  it('may be that of all controllers, if the keys tell them apart', () => {
    const objects = { avatars: '{controller_id}/users/{email}/' };
    expect(read({ uploads: s3Target({ controllers: null, objects }) })).toMatchObject([
      { controllers: null, isShared: false },
    ]);
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['for all controllers', { controllers: null }, /needs "controllers" with the one controller/],
    ['without keys', { objects: {} }, /objects: must name keys with an identity/],
    [
      "with a key that is nobody's",
      { objects: { all: 'users/' } },
      /objects\.all: must have one identity in the key/,
    ],
    [
      'with two identities in a key',
      { objects: { a: '{email}/{controller_customer_id}' } },
      /must have one identity/,
    ],
    [
      'with what could be shared',
      { objects: { a: '{controller_id}-{email}/' } },
      /two placeholders with no "\/" between/,
    ],
    ['with an unknown filter', { objects: { a: '{email|rot13}' } }, /rot13 is not a filter/],
    ['with an unknown name', { objects: { a: '{email}/{year}/' } }, /\{year\} is not known here/],
    ['with a misspelt name', { objects: { a: '{ controller_id}/{email}/' } }, /braces that are no/],
    ['without a secret', { secret_key: null }, /secret_key: is missing/],
  ])('%s is refused', (_, fields, message) => {
    expect(problemsOf({ uploads: s3Target(fields) }).join('\n')).toMatch(message);
  });
});
