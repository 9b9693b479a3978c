// The examples that AWS publishes for Signature Version 4 with S3.
import { expect, it } from 'vitest';
import { queryOf, signRequest } from '../../../src/connectors/s3/sign-request.ts';

const ACCOUNT = {
  region: 'us-east-1',
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: null,
};
const HOST = 'https://examplebucket.s3.amazonaws.com';

it.each<[string, string, Record<string, string>, string]>([
  [
    'an object',
    '/test.txt',
    { range: 'bytes=0-9' },
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'a parameter without a value',
    `/?${queryOf({ lifecycle: '' })}`,
    {},
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  [
    'a list',
    `/?${queryOf({ prefix: 'J', 'max-keys': '2' })}`,
    {},
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
])('signs %s', (_, path, headers, signature) => {
  const call = { method: 'GET', url: new URL(HOST + path), headers, body: new Uint8Array() };
  const { authorization } = signRequest(call, ACCOUNT, new Date('2013-05-24T00:00:00Z'));
  expect(authorization).toContain(`Signature=${signature}`);
});

it('escapes what a query must not have plainly, and signs a temporary key', () => {
  expect(queryOf({ prefix: "a b/(c)*'!~", 'a:': '+' })).toBe(
    'a%3A=%2B&prefix=a%20b%2F%28c%29%2A%27%21~',
  );
  const call = { method: 'GET', url: new URL(HOST), headers: {}, body: new Uint8Array() };
  const signed = signRequest(call, { ...ACCOUNT, sessionToken: 'token' }, new Date());
  expect(signed.authorization).toContain('x-amz-security-token');
});
