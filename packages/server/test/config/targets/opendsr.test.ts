import { describe, expect, it } from 'vitest';
import { makeAuthority } from '../../helpers/http/certificates.ts';
import { opendsrTarget, useWrittenTargets } from './written-targets.ts';

const { problemsOf, read, write } = useWrittenTargets();

describe('a target that forwards', () => {
  it('has a default for whatever it need not say', () => {
    expect(read({ mailer: opendsrTarget() })[0]).toMatchObject({
      requestsPath: '/requests',
      isShared: false,
      identities: ['email', 'controller_customer_id'],
      signed: null,
      allowPrivate: false,
      batchSize: 20,
      timeout: 30_000,
      lookAgain: 3_600_000,
    });
  });

  it('may trust one certificate', () => {
    const { certificate } = makeAuthority('them').issue('opendsr.mailer.example');
    write('them.pem', certificate);
    const signed = { domain: 'opendsr.mailer.example', certificate: 'them.pem' };
    expect(read({ mailer: opendsrTarget({ signed }) })[0]).toMatchObject({
      signed: {
        domain: 'opendsr.mailer.example',
        publicKey: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----/),
      },
    });
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['for all controllers', { controllers: null }, /needs "controllers" with the one controller/],
    ['for two', { controllers: ['acme', 'globex'] }, /needs "controllers" with the one/],
    ['with another tenancy', { tenancy: 'column' }, /tenancy: can only be none/],
    ['without credentials', { basic: null }, /needs one of oauth, bearer and basic/],
    ['with two kinds of them', { bearer: 't' }, /has bearer and basic; keep one/],
    [
      'with a part of them',
      { basic: null, oauth: { client_id: 'x', audience: 'y', client_secret: 'z' } },
      /oauth\.token_url: is missing/,
    ],
    ['with an unknown type', { identities: ['email', 'phone'] }, /identities: must be a list of/],
    ['with no path', { requests_path: 'requests' }, /requests_path: must be a path/],
    [
      'with a certificate that is none',
      { signed: { domain: 'x', certificate: 'none.pem' } },
      /there is no certificate in PEM in/,
    ],
    ['that is looked at too rarely', { look_again: '1d' }, /look_again: /],
  ])('is refused %s', (_, fields, problem) => {
    expect(problemsOf({ mailer: opendsrTarget(fields) })).toEqual([expect.stringMatching(problem)]);
  });

  it('may be for several controllers if the processor does not tell them apart', () => {
    const target = opendsrTarget({ controllers: null, tenancy: 'none' });
    expect(read({ mailer: target })[0]).toMatchObject({ isShared: true, controllers: null });
  });

  it('knows its requests under the same account only', () => {
    const place = (fields: object) => read({ mailer: opendsrTarget({ ...fields }) })[0]?.planDigest;
    const placeOf = (fields: object) => place(fields)?.split('-')[0];
    expect(placeOf({ basic: { username: 'us', password: 'new' } })).toBe(placeOf({}));
    expect(placeOf({ identities: ['email'] })).toBe(placeOf({}));
    expect(placeOf({ basic: { username: 'others', password: 'x' } })).not.toBe(placeOf({}));
  });
});
