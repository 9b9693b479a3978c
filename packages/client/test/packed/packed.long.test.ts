// The SDK as it is published: packed, installed in an empty project, and used there.
import { generateKeyPairSync, sign } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../../server/test/helpers/console/chromium.ts';
import { startService, type TestService } from '../../../server/test/helpers/servers/service.ts';
import { makeTemporaryFolder } from '../../../server/test/helpers/temporary-folder.ts';
import { npm, packInto, ROOT, run } from './pack.ts';

const folder = makeTemporaryFolder();
const project = folder.path;
const NODES = ['20.20.2', '22.23.3', '24.21.0', '26.10.0'];
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;
const hasChromium =
  process.env.UNWRITE_TEST_CHROMIUM !== undefined ||
  ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].some(existsSync);
let tarball: string;
let service: TestService;
let settings: Record<string, string>;

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const BODY = '{"request_status":"completed"}';
const SIGNATURES = [rsa, p256].map(({ publicKey, privateKey }) => ({
  key: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  signature: sign('sha256', Buffer.from(BODY), privateKey).toString('base64'),
}));

beforeAll(async () => {
  tarball = packInto(project, 'client');
  writeFileSync(join(project, 'package.json'), '{"private": true, "type": "module"}');
  npm(project, 'install', '--ignore-scripts', tarball);
  service = await startService();
  const { client_id, client_secret, audience } = await service.client('acme');
  settings = {
    baseUrl: service.url,
    tokenUrl: `${service.url}/oauth/token`,
    clientId: client_id,
    clientSecret: client_secret,
    audience,
  };
}, 300_000);
afterAll(async () => {
  await service.close();
  folder.remove();
});

describe('the packed SDK', () => {
  it('has less than 20 kB, and no dependencies', () => {
    expect(statSync(tarball).size).toBeLessThan(20_000);
    const manifest = JSON.parse(
      readFileSync(join(project, 'node_modules/@unwrite/client/package.json'), 'utf8'),
    );
    expect(manifest.dependencies).toBeUndefined();
    expect(manifest.scripts).toBeUndefined();
    expect(existsSync(join(project, 'node_modules/@unwrite/protocol'))).toBe(false);
  });

  it('is found by publint to be in order', () => {
    const bin = join(ROOT, 'node_modules/publint/src/cli.js');
    expect(run(process.execPath, [bin, tarball, '--strict'], project)).toMatch(/All good/);
  });

  it('has types that every resolver of modules finds', () => {
    const bin = join(ROOT, 'node_modules/@arethetypeswrong/cli/dist/index.js');
    run(process.execPath, [bin, tarball, '--profile', 'esm-only', '--no-emoji'], project);
  });

  const USE = `
    import { ErasureClient, ConflictError, verifySignature, type Answer, type OpenDsrStatus } from '@unwrite/client';
    const client = new ErasureClient({
      baseUrl: 'https://a.test', tokenUrl: 'https://a.test/t', clientId: 'a', clientSecret: 'b', audience: 'c',
    });
    export const status: Promise<Answer<OpenDsrStatus>> = client.status('x');
    export const submitted = client.submit({
      regulation: 'gdpr', submitted_time: new Date(), subject_identities: [
        { identity_type: 'email', identity_value: 'a@b.test', identity_format: 'raw' }],
    }).then((it) => it.outcome === 'created' ? it.answer.body.received_time : it.answer.body.request_status);
    export const isConflict = (error: unknown) => error instanceof ConflictError && error.code === 'conflict';
    export const verified: Promise<boolean> = verifySignature(new Uint8Array(), '', '');
    // @ts-expect-error: it is no status.
    client.waitUntil('x', 'done');
    // @ts-expect-error: a regulation is missing.
    client.submit({ submitted_time: new Date() });
  `;
  const NODE_USE = `
    import { createCertificateVerifier } from '@unwrite/client/node';
    export const verify = createCertificateVerifier({ processors: { 'a.test': 'https://a.test/c.pem' }, now: () => 0 });
  `;
  it.each([
    [
      'in a browser, bundled',
      USE,
      ['--lib', 'es2022,dom', '--moduleResolution', 'bundler', '--module', 'esnext'],
    ],
    [
      'in Node',
      USE + NODE_USE,
      [
        '--lib',
        'es2022',
        '--types',
        'node',
        '--typeRoots',
        join(ROOT, 'node_modules/@types'),
        '--module',
        'nodenext',
      ],
    ],
  ])('has types that say what is meant, %s', (_, source, options) => {
    writeFileSync(join(project, 'use.ts'), source);
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    // The types of Node are not ours to check.
    const lib = options.includes('node') ? ['--skipLibCheck'] : ['--types', ''];
    run(
      process.execPath,
      [tsc, '--noEmit', '--strict', '--target', 'es2022', ...options, ...lib, 'use.ts'],
      project,
    );
  });
});

const SCRIPT = `
  const { settings, signatures, body } = JSON.parse(process.env.GIVEN);
  const { ErasureClient, createProofKeys, verifyHead, verifySignature } = await import('@unwrite/client');
  const { checkCertificate } = await import('@unwrite/client/node');
  const client = new ErasureClient(settings);
  const { subjectRequestId } = await client.submit({
    regulation: 'gdpr', submitted_time: new Date(),
    subject_identities: [{ identity_type: 'email', identity_value: 'jane@example.com', identity_format: 'raw' }],
  });
  await client.cancel(subjectRequestId);
  const { body: { request_status } } = await client.status(subjectRequestId);
  const verified = await Promise.all(signatures.map(({ key, signature }) => verifySignature(body, signature, key)));
  const text = async (path) => new TextDecoder().decode((await client.send({ path })).bytes);
  const head = await verifyHead(await text('/audit/head'), await createProofKeys(await text('/receipts/keys')));
  const problem = await checkCertificate('x', { domain: 'a.test' }).catch((it) => it.name);
  console.log(JSON.stringify({ request_status, verified, head: head.version, problem }));
`;

// The registry has their binaries under other names for other systems.
describe.skipIf(process.platform !== 'linux').each(NODES)('on Node %s', (version) => {
  it('submits, cancels, and verifies', async () => {
    const place = join(project, `node-${version}`);
    npm(project, 'install', '--ignore-scripts', '--prefix', place, `${NODE_PACKAGE}@${version}`);
    const node = join(place, 'node_modules', NODE_PACKAGE, 'bin/node');
    expect(run(node, ['--version'], project).trim()).toBe(`v${version}`);
    await untilSealed();
    writeFileSync(join(project, 'use.mjs'), SCRIPT);
    const output = await runBeside(node, ['use.mjs']);
    expect(JSON.parse(output)).toEqual({
      request_status: 'cancelled',
      verified: [true, true],
      head: 1,
      problem: 'NotVerifiedError',
    });
  });
});

describe.skipIf(!hasChromium)('in a browser', () => {
  it('verifies signatures and receipts’ keys, in the page and in a worker', async () => {
    const dist = join(project, 'node_modules/@unwrite/client/dist');
    const server = createServer((request, response) => {
      const name = request.url?.slice(1) ?? '';
      if (name === 'favicon.ico') response.writeHead(404).end();
      else if (name === '') response.setHeader('content-type', 'text/html').end('<!doctype html>');
      else {
        response.setHeader('content-type', 'text/javascript');
        response.end(name === 'worker.js' ? WORKER : readFileSync(join(dist, name)));
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      const keys = await (await fetch(`${service.url}/receipts/keys`)).text();
      const given = { body: BODY, signatures: SIGNATURES, keys };
      const source = `(${useInBrowser})(${JSON.stringify(given)})`;
      expect(await page.evaluate(source)).toEqual([true, true, false, 1]);
      const inWorker = `new Promise((resolve) => {
        const worker = new Worker('/worker.js', { type: 'module' });
        worker.onmessage = ({ data }) => resolve(data);
        worker.postMessage(${JSON.stringify(source)});
      })`;
      expect(await page.evaluate(inWorker)).toEqual([true, true, false, 1]);
    } finally {
      await browser.close();
      server.close();
    }
  });
});

const WORKER = 'onmessage = async ({ data }) => postMessage(await eval(data));';
const useInBrowser = `async ({ body, signatures, keys }) => {
  const { verifySignature, readPublishedKeys } = await import('/index.js');
  const results = [];
  for (const { key, signature } of signatures) results.push(await verifySignature(body, signature, key));
  results.push(await verifySignature(body + ' ', signatures[0].signature, signatures[0].key));
  return [...results, (await readPublishedKeys(keys)).length];
}`;

/** The server is in this process: it must be able to answer meanwhile. */
async function runBeside(node: string, args: readonly string[]): Promise<string> {
  const { execFile } = await import('node:child_process');
  const { promisify } = await import('node:util');
  const given = JSON.stringify({ settings, signatures: SIGNATURES, body: BODY });
  const env = { PATH: process.env.PATH ?? '', GIVEN: given };
  return (await promisify(execFile)(node, [...args], { cwd: project, env })).stdout;
}

async function untilSealed(): Promise<void> {
  await expect
    .poll(async () => {
      // npm has blocked this process for seconds: the server, which is in it too, may just be closing a connection.
      const headers = { authorization: `Bearer ${await service.token('acme')}` };
      return (await fetch(`${service.url}/audit/head`, { headers })).status;
    })
    .toBe(200);
}
