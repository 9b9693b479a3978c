import { createPublicKey, generateKeyPairSync, verify, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  makeCertificate as makeAnyCertificate,
  type TestCertificate,
} from '../../../protocol/test/helpers/make-certificate.ts';
import { keyPem, makeCertificate, makeKey } from '../../src/certificate/make-certificate.ts';
import { readCertificate } from '../../src/certificate/read-certificate.ts';
import { createTextSigner } from '../../src/certificate/sign-text.ts';
import { makeAuthority } from '../helpers/http/certificates.ts';

const DOMAIN = 'erase.example.com';
const authority = makeAuthority('authority');

describe("the processor's certificate", () => {
  it('is given out leaf first with its chain, and without a key that is in its file', () => {
    const pair = authority.issue(DOMAIN);
    const file = `${pair.key}\n# ours\n${pair.certificate}\n${authority.certificate}`;
    const { pem, subject, validTo } = readCertificate({ ...pair, certificate: file }, DOMAIN);
    expect(pem).toBe(pair.certificate + authority.certificate);
    expect(subject).toBe(`CN=${DOMAIN}`);
    expect(validTo).toBe(new X509Certificate(pair.certificate).validToDate.getTime());
  });

  it('may name the domain as a subject alternative name alone', () => {
    const pair = authority.issue(DOMAIN, undefined, { commonName: null });
    expect(readCertificate(pair, DOMAIN).subject).toBe(DOMAIN);
  });

  it.each([
    [
      'another domain',
      { domains: ['other.example.com'] },
      /is not for erase\.example\.com: .*DNS:other/,
    ],
    ['a wildcard only', { domains: ['*.example.com'], commonName: null }, /is not for erase/],
    ['the domain as its common name only', { domains: ['x.example.com'] }, /is not for erase/],
    [
      'another common name',
      { domains: [DOMAIN, 'other.example.com'], commonName: 'other.example.com' },
      /set domain to other\.example\.com/,
    ],
  ])('is refused with %s', (_, details, message) => {
    expect(() => readCertificate(authority.issue(DOMAIN, undefined, details), DOMAIN)).toThrow(
      message,
    );
  });

  it('is refused with the key of another certificate', () => {
    const { certificate } = authority.issue(DOMAIN);
    const { key } = authority.issue(DOMAIN);
    expect(() => readCertificate({ certificate, key }, DOMAIN)).toThrow(/is not the key of/);
  });

  it('is refused if a certificate is not followed by its issuer', () => {
    const { certificate, key } = authority.issue(DOMAIN);
    const other = makeAuthority('another authority').certificate;
    expect(() => readCertificate({ certificate: certificate + other, key }, DOMAIN)).toThrow(
      /certificate 2 did not issue certificate 1/,
    );
  });

  it.each([
    ['P-384', () => generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey],
    ['Ed25519', () => generateKeyPairSync('ed25519').privateKey],
    ['RSA of 1024 bits', () => generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey],
  ])('is refused with a key that is %s', (_, make) => {
    const { certificate } = authority.issue(DOMAIN);
    expect(() => readCertificate({ certificate, key: keyPem(make()) }, DOMAIN)).toThrow(
      /must be an RSA key of 2048 bits or more, or a P-256 key/,
    );
  });

  it('is refused with a key that has a passphrase, and without repeating it', () => {
    const key = makeKey('p-256').export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'x',
    });
    const { certificate } = authority.issue(DOMAIN);
    expect(() => readCertificate({ certificate, key: String(key) }, DOMAIN)).toThrow(
      'processor_key must be a key without a passphrase, in PEM',
    );
  });

  const root = makeAnyCertificate({ commonName: 'Root', isAuthority: true });
  const intermediate = makeAnyCertificate({ commonName: 'Intermediate', isAuthority: true }, root);
  const leaf = (details: object = {}, issuer = intermediate) =>
    makeAnyCertificate({ names: [DOMAIN], ...details }, issuer);
  const read = (...chain: [TestCertificate, ...TestCertificate[]]) =>
    readCertificate(
      { certificate: chain.map(({ pem }) => pem).join(''), key: keyPem(chain[0].key) },
      DOMAIN,
    );
  const notAuthority = makeAnyCertificate({ commonName: 'No authority' }, root);
  const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
  const weak = makeAnyCertificate({ commonName: 'Weak', isAuthority: true, key: small }, root);
  const narrow = makeAnyCertificate(
    { commonName: 'Narrow', isAuthority: true, maxPathLength: 0 },
    root,
  );
  const below = makeAnyCertificate({ commonName: 'Below', isAuthority: true }, narrow);

  it('may be for signatures, with a chain to a root', () => {
    const { pem } = read(leaf({ keyUsage: 0x80 }), intermediate, root);
    expect(pem.match(/BEGIN/g)).toHaveLength(3);
  });

  // What the SDK refuses, by the same rule.
  it.each<[string, [TestCertificate, ...TestCertificate[]], RegExp]>([
    ['is for encryption alone', [leaf({ keyUsage: 0x20 })], /1 is not made for signatures/],
    ['is signed with SHA-1', [leaf({ digest: 'sha1' })], /1 is signed with an algorithm/],
    ['has an unknown critical extension', [leaf({ critical: ['1.2.3.4'] })], /1 has a constraint/],
    [
      'is issued by one that is no authority',
      [leaf({}, notAuthority), notAuthority],
      /2 is not an authority/,
    ],
    ['is issued with a small key', [leaf({}, weak), weak], /2 has an RSA key of less than 2048/],
    [
      'has an authority too many',
      [leaf({}, below), below, narrow, root],
      /certificate 3 must not have so many below it, so controllers would refuse it/,
    ],
  ])('is refused if it %s', (_, chain, message) => {
    expect(() => read(...chain)).toThrow(message);
  });

  it('is refused if its chain is half written', () => {
    const { certificate, key } = authority.issue(DOMAIN);
    const half = certificate + authority.certificate.slice(0, 200);
    expect(() => readCertificate({ certificate: half, key }, DOMAIN)).toThrow(/in PEM/);
  });

  it('is refused if it is none', () => {
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
    const { key } = authority.issue(DOMAIN);
    expect(() => readCertificate({ certificate: broken, key }, DOMAIN)).toThrow(/in PEM/);
  });

  it('may have a domain that is too long for a common name, after 2050', () => {
    const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.example`;
    const key = makeKey('p-256');
    const validTo = Date.UTC(2051, 0);
    const of = { key, commonName: long, domains: [long], validFrom: Date.UTC(2026, 0), validTo };
    const read = readCertificate({ certificate: makeCertificate(of), key: keyPem(key) }, long);
    expect(read).toMatchObject({ subject: long, validTo });
  });
});

describe('signing', () => {
  it('happens beside the main thread, which answers others meanwhile', async () => {
    // Shorter than what is accepted: quick to make.
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const signer = createTextSigner(privateKey);
    const [whole, own] = [process.cpuUsage(), process.threadCpuUsage()];
    const texts = Array.from({ length: 50 }, (_, n) => `text ${n}`);
    const signed = texts.map(
      (text) => new Promise((resolve) => signer.sign(text, false, (_, it) => resolve(it))),
    );
    expect(new Set(await Promise.all(signed)).size).toBe(50);
    const main = process.threadCpuUsage(own).user / process.cpuUsage(whole).user;
    expect(main).toBeLessThan(0.5);
  });

  it('gives back the same signature for the same repeatable text, and a fresh one otherwise', async () => {
    const key = makeKey('p-256');
    const signer = createTextSigner(key);
    const signed = (text: string, isRepeatable: boolean) =>
      new Promise<string>((resolve, reject) => {
        signer.sign(text, isRepeatable, (error, signature) =>
          error ? reject(error) : resolve(signature),
        );
      });
    // ECDSA is not deterministic: the same bytes were not signed twice.
    const first = await signed('{"a":1}', true);
    expect(await signed('{"a":1}', true)).toBe(first);
    expect(await signed('{"a":1}', false)).not.toBe(first);
    expect(await signed('{"a":2}', true)).not.toBe(first);
    const bytes = Buffer.from(first, 'base64');
    expect(verify('sha256', Buffer.from('{"a":1}'), createPublicKey(key), bytes)).toBe(true);
  });
});
