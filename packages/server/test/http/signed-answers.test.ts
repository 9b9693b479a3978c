import { execFileSync } from 'node:child_process';
import { verify, X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOperatorClients } from '../../src/auth/operator/operator-clients.ts';
import { freePort } from '../helpers/free-port.ts';
import { type Answer, call, postJson } from '../helpers/http/api.ts';
import { type Authority, type Certificate, makeAuthority } from '../helpers/http/certificates.ts';
import { makeController } from '../helpers/http/controller.ts';
import { hasOpenssl } from '../helpers/http/openssl.ts';
import { requestBody } from '../helpers/http/request-body.ts';
import { startService, type TestService } from '../helpers/servers/service.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';

const DOMAIN = 'erase.example.com';
const DAY = 86_400_000;
let authority: Authority;

beforeAll(() => {
  authority = makeAuthority('authority');
});

function startSigning({ certificate, key }: Certificate): Promise<TestService> {
  return startService({
    publicUrl: `https://${DOMAIN}`,
    processorCertificate: certificate + authority.certificate,
    processorKey: key,
  });
}

function isSigned({ headers, text }: Answer, pem: string): boolean {
  const signature = Buffer.from(headers.get('X-OpenDSR-Signature') ?? '', 'base64');
  return verify('sha256', Buffer.from(text), new X509Certificate(pem).publicKey, signature);
}

describe.each(['rsa', 'p-256'] as const)('with a certificate and a key of type %s', (keyType) => {
  let service: TestService;
  let pair: Certificate;

  beforeAll(async () => {
    pair = authority.issue(DOMAIN, undefined, { keyType });
    service = await startSigning(pair);
  });
  afterAll(() => service.close());

  it.each(['', '/v2'])(
    'every success of the four endpoints at "%s" is signed over its bytes',
    async (prefix) => {
      const { token } = await makeController(service);
      const base = service.url + prefix;
      const body = requestBody();
      const at = `${base}/requests/${body.subject_request_id}`;
      const answers = [
        // The first with a token is answered by the framework, later ones are not; with a slash all of them are.
        await postJson(`${base}/requests`, body, token),
        await postJson(`${base}/requests`, requestBody(), token),
        await call(`${base}/discovery`, { token }),
        await call(`${at}/`, { token }),
        await call(at, { token }),
        await call(at, { token }),
        await call(at, { token, method: 'DELETE' }),
        await call(at, { token }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 200, 200, 200, 200, 202, 200]);
      for (const answer of answers) {
        expect(answer.headers.get('X-OpenDSR-Processor-Domain')).toBe(DOMAIN);
        expect(isSigned(answer, pair.certificate)).toBe(true);
        expect(isSigned({ ...answer, text: `${answer.text} ` }, pair.certificate)).toBe(false);
      }
    },
  );

  it('HEAD carries the signature of what GET sends', async () => {
    const { token, created } = await makeController(service);
    for (const path of ['/discovery', `/requests/${await created()}`]) {
      const head = await call(service.url + path, { token, method: 'HEAD' });
      expect(head.text).toBe('');
      const { text } = await call(service.url + path, { token });
      expect(isSigned({ ...head, text }, pair.certificate)).toBe(true);
    }
  });

  it('the body still has the placeholder, and errors are not signed', async () => {
    const acme = await makeController(service);
    const body = requestBody();
    expect((await acme.create(body)).body.processor_signature).toBe('not-yet-implemented');
    const again = await acme.create(body);
    expect(again.status).toBe(409);
    expect(again.headers.get('X-OpenDSR-Signature')).toBeNull();
  });

  it('discovery names the certificate, which anybody may read, leaf first', async () => {
    const { body } = await (await makeController(service)).discovery();
    expect(body.processor_certificate).toBe(`https://${DOMAIN}/certificate.pem`);
    const { text, headers } = await call(`${service.url}/certificate.pem`);
    expect(headers.get('content-type')).toBe('application/pem-certificate-chain');
    expect(text).toBe(pair.certificate + authority.certificate);
  });

  it('openssl alone verifies answers, from the discovery document on', async ({ skip }) => {
    skip(!hasOpenssl, 'openssl is not installed');
    const folder = makeTemporaryFolder();
    const file = (name: string) => join(folder.path, name);
    const openssl = (...args: string[]) =>
      execFileSync('openssl', args, { stdio: 'pipe' }).toString();
    const acme = await makeController(service);
    const discovery = await acme.discovery();
    const { pathname } = new URL(discovery.body.processor_certificate);
    writeFileSync(file('chain.pem'), (await call(service.url + pathname)).text);
    writeFileSync(file('root.pem'), authority.certificate);
    const body = requestBody();
    const answers = [
      discovery,
      await acme.create(body),
      await acme.status(body.subject_request_id),
    ];

    openssl(
      'verify',
      '-CAfile',
      file('root.pem'),
      '-untrusted',
      file('chain.pem'),
      file('chain.pem'),
    );
    const domain = String(discovery.headers.get('X-OpenDSR-Processor-Domain'));
    const matched = openssl('x509', '-in', file('chain.pem'), '-noout', '-checkhost', domain);
    expect(matched).toContain('does match certificate');
    openssl('x509', '-in', file('chain.pem'), '-noout', '-pubkey', '-out', file('key.pem'));
    for (const { text, headers } of answers) {
      writeFileSync(file('body'), text);
      writeFileSync(file('signature.b64'), String(headers.get('X-OpenDSR-Signature')));
      openssl('base64', '-d', '-A', '-in', file('signature.b64'), '-out', file('signature'));
      const check = [
        'dgst',
        '-sha256',
        '-verify',
        file('key.pem'),
        '-signature',
        file('signature'),
      ];
      expect(openssl(...check, file('body'))).toBe('Verified OK\n');
      writeFileSync(file('body'), text.replace('2', '3'));
      expect(() => openssl(...check, file('body'))).toThrow();
    }
    folder.remove();
  });

  it('is in the OpenAPI document', async () => {
    const { paths } = (await call(`${service.url}/openapi.json`)).body;
    expect(Object.keys(paths)).toContain('/certificate.pem');
  });
});

describe('a start', () => {
  it('is refused with a key that does not fit', async () => {
    const { key } = authority.issue(DOMAIN);
    await expect(startSigning({ ...authority.issue(DOMAIN), key })).rejects.toThrow(
      /is not the key/,
    );
  });

  it('is refused with a certificate for another domain', async () => {
    const other = authority.issue('other.example.com');
    await expect(startSigning(other)).rejects.toThrow(/is not for erase\.example\.com/);
  });
});

describe('a certificate that expires soon', () => {
  it('is shown in the metrics, the alarms and the operator API', async () => {
    const managementPort = await freePort();
    const now = Date.now();
    const validity = { validFrom: now - 80 * DAY, validTo: now + 10 * DAY + 60_000 };
    const { certificate, key } = authority.issue(DOMAIN, now, validity);
    const service = await startService({
      domain: DOMAIN,
      processorCertificate: certificate,
      processorKey: key,
      managementPort,
    });
    const { store } = service.installation;
    const clients = createOperatorClients(store.operators, store.clock);
    const { token } = await clients.create('script', 'viewer', null, 'operator:test');
    const { text } = await call(`http://127.0.0.1:${managementPort}/metrics`);
    const left = Number(/^unwrite_certificate_left_ratio (\S+)$/m.exec(text)?.[1]);
    expect(left).toBeCloseTo(1 / 9, 3);
    expect(text).toMatch(/^unwrite_certificate_left_seconds 864\d{3}/m);
    expect(text).toContain(
      'unwrite_alarm_last_raised_timestamp_seconds{kind="certificate_expiry"}',
    );
    const shown = { subject: `CN=${DOMAIN}`, state: 'expiring', days_left: 10 };
    const overview = await call(`${service.url}/operator/v1/overview`, { token });
    expect(overview.body).toMatchObject({
      certificate: shown,
      alarms: [{ kind: 'certificate_expiry', percent: 67 }],
    });
    const system = await call(`${service.url}/operator/v1/system`, { token });
    expect(system.body.processor_certificate).toMatchObject(shown);
    await service.close();
  });
});
