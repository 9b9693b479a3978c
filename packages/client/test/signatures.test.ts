import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createAnswerVerifier,
  importPublicKey,
  NotSignedError,
  NotVerifiedError,
  verifySignature,
} from '../src/index.ts';
import {
  answer,
  REQUEST,
  startProcessor,
  status,
  type TestProcessor,
} from './helpers/processor.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
const BODY = Buffer.from('{"controller_id":"acme","request_status":"pending"}');
const signed = (body: Uint8Array, key: KeyObject) => sign('sha256', body, key).toString('base64');

function flip(bytes: Buffer, bit: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return changed;
}

describe.each([
  ['RSA, PKCS#1 v1.5', rsa],
  ['P-256', p256],
])('a signature with %s', (_, { publicKey, privateKey }) => {
  it('verifies over the exact bytes', async () => {
    const signature = signed(BODY, privateKey);
    expect(await verifySignature(BODY, signature, pem(publicKey))).toBe(true);
    expect(await verifySignature(BODY.toString(), ` ${signature}\r\n`, pem(publicKey))).toBe(true);
  });

  it('does not verify when any bit of the body is changed', async () => {
    const signature = signed(BODY, privateKey);
    const key = await importPublicKey(pem(publicKey));
    for (let bit = 0; bit < BODY.length * 8; bit++)
      expect(await verifySignature(flip(BODY, bit), signature, key)).toBe(false);
  });

  it('does not verify when any bit of its own text is changed', async () => {
    const text = Buffer.from(signed(BODY, privateKey));
    const key = await importPublicKey(pem(publicKey));
    for (let bit = 0; bit < text.length * 8; bit++)
      expect(await verifySignature(BODY, flip(text, bit).toString('latin1'), key)).toBe(false);
  });

  it('is not one with another key, an empty one, or none', async () => {
    const other = publicKey === rsa.publicKey ? p256 : rsa;
    const signature = signed(BODY, privateKey);
    for (const [given, key] of [
      [signature, other.publicKey],
      ['', publicKey],
      ['not-yet-implemented', publicKey],
      [signature.replace(/=+$/, ''), other.publicKey],
    ] as const)
      expect(await verifySignature(BODY, given, pem(key))).toBe(false);
  });
});

describe('a signature of another kind', () => {
  it('is refused: PSS, another digest, raw ECDSA', async () => {
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    const pss = sign('sha256', BODY, { key: rsa.privateKey, padding }).toString('base64');
    const sha1 = sign('sha1', BODY, rsa.privateKey).toString('base64');
    expect(await verifySignature(BODY, pss, pem(rsa.publicKey))).toBe(false);
    expect(await verifySignature(BODY, sha1, pem(rsa.publicKey))).toBe(false);
    const raw = sign('sha256', BODY, { key: p256.privateKey, dsaEncoding: 'ieee-p1363' });
    expect(await verifySignature(BODY, raw.toString('base64'), pem(p256.publicKey))).toBe(false);
  });

  it('with numbers that begin with zeros verifies, and not with more zeros than DER allows', async () => {
    const key = await importPublicKey(pem(p256.publicKey));
    let short = Buffer.alloc(0);
    while (short.length !== 69) short = sign('sha256', BODY, p256.privateKey);
    expect(await verifySignature(BODY, short.toString('base64'), key)).toBe(true);
    const lengthOfR = short[3] ?? 0;
    const padded = Buffer.concat([
      Buffer.from([0x30, short.length - 1, 0x02, lengthOfR + 1, 0x00]),
      short.subarray(4),
    ]);
    expect(await verifySignature(BODY, padded.toString('base64'), key)).toBe(false);
  });
});

describe('a public key', () => {
  it.each([
    [
      'RSA of 1,024 bits',
      generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey,
      /2048 bits/,
    ],
    [
      'P-384',
      generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey,
      /RSA, P-256 or Ed25519/,
    ],
    ['X25519', generateKeyPairSync('x25519').publicKey, /RSA, P-256 or Ed25519/],
  ])('of another kind is refused: %s', async (_, key, message) => {
    await expect(importPublicKey(pem(key))).rejects.toThrow(message);
  });

  it('must be a public key', async () => {
    const secret = p256.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    for (const text of [secret, 'x', '', pem(p256.publicKey).slice(0, 60)])
      await expect(importPublicKey(text)).rejects.toThrow(NotVerifiedError);
    await expect(importPublicKey(pem(p256.publicKey).replace('MF', 'MG'))).rejects.toThrow(
      NotVerifiedError,
    );
  });

  it('has the id that openssl computes', async () => {
    const { publicKey } = generateKeyPairSync('ed25519');
    const { createHash } = await import('node:crypto');
    const der = publicKey.export({ type: 'spki', format: 'der' });
    const key = await importPublicKey(der);
    expect(key).toMatchObject({
      kind: 'Ed25519',
      keyId: createHash('sha256').update(der).digest('hex'),
    });
  });
});

describe('a client that verifies', () => {
  let processor: TestProcessor;
  beforeAll(async () => {
    processor = await startProcessor();
  });
  afterAll(() => processor.close());

  const verify = createAnswerVerifier({ publicKey: pem(p256.publicKey), domain: 'P.test' });
  const ID = 'a7551968-d5d6-44b2-9831-815ac9017798';
  const client = () => processor.client({ verify });

  function answerSigned(headers: (body: Buffer) => Record<string, string>, code = 200): void {
    processor.answers((received, response) => {
      let body = '';
      let code_ = code;
      const note = {
        writeHead: (status: number) => {
          code_ = status;
        },
        end: (text: string) => {
          body = text;
        },
      };
      status()(received, note as never);
      answer(code_, body, headers(Buffer.from(body)))(received, response);
    });
  }
  const headersOf = (body: Buffer) => ({
    'X-OpenDSR-Processor-Domain': 'p.test',
    'X-OpenDSR-Signature': signed(body, p256.privateKey),
  });

  it('takes what is signed', async () => {
    answerSigned(headersOf);
    expect((await client().status(ID)).body.request_status).toBe('pending');
  });

  it.each<[string, (body: Buffer) => Record<string, string>, RegExp]>([
    ['nothing', () => ({}), /is not signed: .* is missing/],
    [
      'the placeholder',
      (body) => ({ ...headersOf(body), 'X-OpenDSR-Signature': 'not-yet-implemented' }),
      /has no certificate/,
    ],
    [
      'another domain',
      (body) => ({ ...headersOf(body), 'X-OpenDSR-Processor-Domain': 'evil.test' }),
      /its domain is not P\.test/,
    ],
    ['other bytes', () => headersOf(Buffer.from('other')), /its signature was not made/],
  ])(
    'refuses %s, and says that the call may have been carried out',
    async (_, headers, message) => {
      answerSigned(headers);
      const error = await client()
        .status(ID)
        .catch((it: unknown) => it);
      expect(error).toBeInstanceOf(NotSignedError);
      expect((error as Error).message).toMatch(message);
      expect(error).toMatchObject({ outcomeUnknown: true, subjectRequestId: ID });
    },
  );

  it('gives errors of the processor as they are: those are not signed', async () => {
    processor.answers(answer(404, { error: { code: 404, message: 'none' } }));
    await expect(client().submit(REQUEST)).rejects.toMatchObject({ code: 'not_found' });
  });
});
