import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { rootCertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type CertificateOptions,
  makeCertificate,
  type TestCertificate,
} from '../../protocol/test/helpers/make-certificate.ts';
import { NotVerifiedError } from '../src/index.ts';
import { checkCertificate, createCertificateVerifier, fetchCertificate } from '../src/node.ts';

const DOMAIN = 'opendsr.example.com';
const DAY = 86_400_000;
const root = makeCertificate({ commonName: 'Root', isAuthority: true });
const roots = [root.pem];
const intermediate = makeCertificate(
  { commonName: 'Intermediate', isAuthority: true, keyUsage: 0x06, maxPathLength: 0 },
  root,
);
const leaf = (options: CertificateOptions = {}, issuer = intermediate) =>
  makeCertificate({ names: [DOMAIN], keyUsage: 0x80, ...options }, issuer);
const chain = (...certificates: TestCertificate[]) => certificates.map(({ pem }) => pem).join('');
const check = (pem: string, rules = {}) =>
  checkCertificate(pem, { domain: DOMAIN, roots, ...rules });

describe('a certificate', () => {
  it('is accepted with a chain to a root, in any order behind it', async () => {
    const { publicKey } = await check(chain(leaf(), intermediate));
    expect(publicKey.kind).toBe('P-256');
    await check(chain(leaf(), root, intermediate));
    await check(chain(leaf({}, root)));
  });

  it('is refused soon, however many ways its chain has', async () => {
    const [a, b] = ['A', 'B'].map((commonName) =>
      makeCertificate({ commonName, isAuthority: true }, intermediate),
    ) as [TestCertificate, TestCertificate];
    const others = Array.from({ length: 20 }, () => [
      makeCertificate({ commonName: 'A', isAuthority: true, key: a.key }, b),
      makeCertificate({ commonName: 'B', isAuthority: true, key: b.key }, a),
    ]).flat();
    await expect(check(chain(leaf({}, a), ...others))).rejects.toThrow('nothing leads from');
  });

  it('may have an RSA key, and be signed by one', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const authority = makeCertificate({ commonName: 'RSA', isAuthority: true, key: privateKey });
    const { publicKey } = await check(chain(leaf({ key: privateKey }, authority)), {
      roots: [authority.pem],
    });
    expect(publicKey.kind).toBe('RSA');
  });

  it('is for its alternative names, also with one asterisk, and not for its common name then', async () => {
    await check(chain(leaf({ commonName: null }), intermediate));
    await check(chain(leaf({ names: ['*.example.com'] }), intermediate));
    const other = leaf({ commonName: DOMAIN, names: ['other.example.com'] });
    await expect(check(chain(other, intermediate))).rejects.toThrow(`not for ${DOMAIN}`);
    const deeper = leaf({ names: ['*.com'] });
    await expect(check(chain(deeper, intermediate))).rejects.toThrow(`not for ${DOMAIN}`);
  });

  it('is for its common name where it has no alternative names', async () => {
    await check(chain(leaf({ commonName: DOMAIN, names: [] }), intermediate));
    const other = leaf({ commonName: `x${DOMAIN}`, names: [] });
    await expect(check(chain(other, intermediate))).rejects.toThrow(`not for ${DOMAIN}`);
  });

  const pathEnd = makeCertificate({ commonName: 'Second', isAuthority: true }, intermediate);
  const old = Date.now() - 100 * DAY;
  const expiredRoot = makeCertificate({
    commonName: 'Old root',
    isAuthority: true,
    from: old,
    to: old + DAY,
  });
  const notAuthority = makeCertificate({ commonName: 'No authority' }, root);
  const noSigner = makeCertificate(
    { commonName: 'No signer', isAuthority: true, keyUsage: 0x80 },
    root,
  );
  const constrained = makeCertificate(
    { commonName: 'Constrained', isAuthority: true, critical: ['2.5.29.30'] },
    root,
  );
  const stranger = makeCertificate({ commonName: 'Root', isAuthority: true });
  const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;

  it.each<[string, string, RegExp]>([
    ['by itself', makeCertificate({ names: [DOMAIN] }).pem, /not issued by an authority/],
    ['without its intermediate', leaf().pem, /not issued by an authority/],
    ['of a stranger with the name of a root', leaf({}, stranger).pem, /not issued by an authority/],
    [
      'of a stranger who sends a root along',
      chain(leaf({}, stranger), stranger),
      /not issued by an authority/,
    ],
    [
      'that has expired',
      chain(leaf({ from: old, to: old + DAY }), intermediate),
      /not at this time/,
    ],
    [
      'that is not valid yet',
      chain(leaf({ from: Date.now() + DAY, to: Date.now() + 2 * DAY }), intermediate),
      /not at this time/,
    ],
    [
      'of a certificate that is no authority',
      chain(leaf({}, notAuthority), notAuthority),
      /not an authority/,
    ],
    ['of an authority that must not sign', chain(leaf({}, noSigner), noSigner), /an authority/],
    [
      'below an authority that allows none below',
      chain(leaf({}, pathEnd), pathEnd, intermediate),
      /so many below/,
    ],
    [
      'with constraints that nobody checks',
      chain(leaf({}, constrained), constrained),
      /not understood/,
    ],
    [
      'with an unknown critical extension',
      chain(leaf({ critical: ['1.2.3.4'] }), intermediate),
      /not understood/,
    ],
    ['with SHA-1', chain(leaf({ digest: 'sha1' }), intermediate), /too old/],
    ['with a small RSA key', chain(leaf({ key: small }), intermediate), /2048 bits/],
    [
      'for encryption alone',
      chain(leaf({ keyUsage: 0x20 }), intermediate),
      /not made for signatures/,
    ],
    ['that is damaged', leaf().pem.replace(/\n../, '\nAA'), /damaged/],
    ['that is missing', 'nothing', /no certificate/],
  ])('is refused %s', async (_, pem, message) => {
    const error = await check(pem, { roots: [root.pem, expiredRoot.pem] }).catch((it) => it);
    expect(error).toBeInstanceOf(NotVerifiedError);
    expect(error.message).toMatch(message);
  });

  it('is refused where its root has expired', async () => {
    const rules = { roots: [expiredRoot.pem] };
    await expect(check(chain(leaf({}, expiredRoot)), rules)).rejects.toThrow('its root "Old root"');
  });

  it('is looked at with the clock that is given', async () => {
    const pem = chain(leaf(), intermediate);
    const at = (time: number) => check(pem, { now: () => time });
    await at(Date.now() + DAY / 2);
    await expect(at(Date.now() + 2 * DAY)).rejects.toThrow('not at this time');
    await expect(at(Date.now() - 2 * DAY)).rejects.toThrow('not at this time');
  });

  it('of a test is not issued by anyone whom this machine trusts', async () => {
    const error = await checkCertificate(chain(leaf(), intermediate), { domain: DOMAIN }).catch(
      (it) => it,
    );
    expect(error.message).toMatch(/not issued by an authority that this machine trusts/);
    expect(rootCertificates.length).toBeGreaterThan(50);
  });
});

describe('fetching a certificate', () => {
  const tlsRoot = makeCertificate({ commonName: 'TLS', isAuthority: true });
  const tls = makeCertificate({ names: ['localhost'] }, tlsRoot);
  let answer = { status: 200, headers: {} as Record<string, string>, body: 'pem' };
  const asked: string[] = [];
  const server = createServer(
    {
      cert: tls.pem,
      key: tls.key.export({ type: 'pkcs8', format: 'pem' }),
    },
    (request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(answer.status, answer.headers).end(answer.body);
    },
  );
  let url = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `https://localhost:${(server.address() as AddressInfo).port}/cert.pem`;
  });
  afterAll(() => server.close());
  beforeEach(() => {
    asked.length = 0;
    answer = { status: 200, headers: {}, body: 'pem' };
  });

  /** What a machine does that trusts the authority of the test's server. */
  const trusting: typeof fetch = async (input, init) => {
    const { request } = await import('node:https');
    return new Promise((resolve, reject) => {
      const call = request(String(input), { ca: tlsRoot.pem, signal: init?.signal ?? undefined });
      call.on('error', reject);
      call.on('response', async (response) => {
        const { buffer } = await import('node:stream/consumers');
        const { statusCode: status = 0, headers } = response;
        resolve(new Response(await buffer(response), { status, headers: headers as never }));
      });
      call.end();
    });
  };

  it('takes what is there', async () => {
    expect(await fetchCertificate(url, { fetch: trusting })).toBe('pem');
  });

  it('needs https', async () => {
    for (const address of [url.replace('https', 'http'), 'file:///etc/hosts', 'x'])
      await expect(fetchCertificate(address, { fetch: trusting })).rejects.toThrow('https:');
    expect(asked).toEqual([]);
  });

  it('needs a server that this machine trusts', async () => {
    await expect(fetchCertificate(url)).rejects.toThrow(/cannot be fetched \([A-Z_]+\)/);
    expect(asked).toEqual([]);
  });

  it('follows no redirect', async () => {
    answer = { status: 302, headers: { location: url }, body: '' };
    await expect(fetchCertificate(url, { fetch: trusting })).rejects.toThrow('answers 302');
    expect(asked).toHaveLength(1);
  });

  it('takes no more than 64 kB', async () => {
    answer.body = 'x'.repeat(65_537);
    await expect(fetchCertificate(url, { fetch: trusting })).rejects.toThrow('more than 65536');
  });

  it('can be ended', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(fetchCertificate(url, { fetch: trusting, signal })).rejects.toThrow('enough');
  });

  describe('for a verifier of answers and callbacks', () => {
    const BODY = Buffer.from('{"request_status":"completed"}');
    const own = leaf();
    const signedBy = (certificate: TestCertificate, domain = DOMAIN) => ({
      bytes: BODY,
      domain,
      signature: sign('sha256', BODY, certificate.key).toString('base64'),
    });
    let now = Date.now();
    const verifier = (more = {}) =>
      createCertificateVerifier({
        processors: { [DOMAIN]: url },
        roots,
        fetch: trusting,
        now: () => now,
        ...more,
      });
    beforeEach(() => {
      now = Date.now();
      answer.body = chain(own, intermediate);
    });

    it('the certificate is fetched once for many', async () => {
      const verify = verifier();
      await Promise.all(Array.from({ length: 20 }, () => verify(signedBy(own))));
      expect(asked).toHaveLength(1);
      now += 2 * 3_600_000;
      await verify(signedBy(own));
      expect(asked).toHaveLength(2);
    });

    it('a domain that is not on the list is refused, and nothing is fetched', async () => {
      await expect(verifier()(signedBy(own, 'evil.test'))).rejects.toThrow('not one of those');
      for (const domain of ['__proto__', 'constructor'])
        await expect(verifier()(signedBy(own, domain))).rejects.toThrow('not one of those');
      expect(asked).toEqual([]);
    });

    it('a new certificate is fetched for a signature that does not fit, once a minute', async () => {
      const verify = verifier();
      await verify(signedBy(own));
      const renewed = leaf();
      answer.body = chain(renewed, intermediate);
      await expect(verify(signedBy(renewed))).rejects.toThrow('its signature was not made');
      expect(asked).toHaveLength(1);
      now += 61_000;
      await verify(signedBy(renewed));
      expect(asked).toHaveLength(2);
      await expect(verify(signedBy(own))).rejects.toThrow('its signature was not made');
      expect(asked).toHaveLength(2);
    });

    it('the known certificate is used while its address does not answer, until it expires', async () => {
      const verify = verifier();
      await verify(signedBy(own));
      answer = { status: 500, headers: {}, body: '' };
      now += 2 * 3_600_000;
      await verify(signedBy(own));
      now += 2 * DAY;
      await expect(verify(signedBy(own))).rejects.toThrow(/expired|cannot be fetched/);
    });

    it('a certificate that was renewed just before it expired is fetched at once', async () => {
      const verify = verifier({ cacheMs: DAY });
      const soon = leaf({ to: now + DAY / 24 });
      answer.body = chain(soon, intermediate);
      await verify(signedBy(soon));
      now += DAY / 12;
      answer.body = chain(own, intermediate);
      await verify(signedBy(own));
    });

    it('a certificate that does not verify is not used, and asked for again', async () => {
      const verify = verifier();
      answer.body = makeCertificate({ names: [DOMAIN] }).pem;
      await expect(verify(signedBy(own))).rejects.toThrow('not issued by an authority');
      answer.body = chain(own, intermediate);
      await verify(signedBy(own));
    });

    it('a certificate may be given instead of its address', async () => {
      await verifier({ processors: { [DOMAIN]: chain(own, intermediate) } })(signedBy(own));
      expect(asked).toEqual([]);
    });
  });
});
