import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUILT_CONSOLE, buildConsole } from '../../helpers/console/built-console.ts';
import { call } from '../../helpers/http/api.ts';
import { expectError } from '../../helpers/http/error-shape.ts';
import { startService, type TestService } from '../../helpers/servers/service.ts';

const MAX_GZIPPED = 250_000;
let service: TestService;
let assets: string[];

beforeAll(async () => {
  buildConsole();
  service = await startService();
  assets = readdirSync(join(BUILT_CONSOLE, 'assets')).filter((name) => !/\.(br|gz)$/.test(name));
});
afterAll(() => service.close());

describe('the page of the console', () => {
  it.each(['/console', '/console/', '/console/requests/acme/x', '/console/targets/a%20b?x=1'])(
    'is answered at %s, whatever the console makes of the address',
    async (path) => {
      const { status, headers, text } = await call(`${service.url}${path}`);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(text).toContain('<div id="root"></div>');
    },
  );

  it('allows no inline content and no other origin, except one style with the nonce of the response', async () => {
    const answers = await Promise.all([1, 2].map(() => call(`${service.url}/console`)));
    const nonces = answers.map(({ headers, text }) => {
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(text).not.toMatch(/<script(?![^>]* src="\/console\/assets\/)|<style| style=|https?:/);
      const [, nonce] = /'nonce-([\w+/]{22}==)'/.exec(policy) ?? [];
      expect(text).toContain(`nonce="${nonce}"`);
      return nonce;
    });
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  it('has only assets that are answered', async () => {
    const { text } = await call(`${service.url}/console`);
    const paths = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => String(path));
    expect(paths.length).toBeGreaterThan(2);
    for (const path of paths) expect((await call(`${service.url}${path}`)).status).toBe(200);
  });
});

describe('an asset of the console', () => {
  it('may be cached forever, and is sent in an encoding that the browser accepts', async () => {
    const script = assets.find((name) => /^index-.*\.js$/.test(name));
    const plain = readFileSync(join(BUILT_CONSOLE, 'assets', String(script)));
    const url = `${service.url}/console/assets/${script}`;
    const read = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
      ['identity', null],
    ] as const) {
      const answer = await rawGet(url, accepted);
      expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.vary).toBe('accept-encoding');
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(answer.headers['content-encoding'] ?? null).toBe(encoding);
      const body = encoding === null ? answer.body : read[encoding](answer.body);
      expect(body.equals(plain)).toBe(true);
    }
  });

  it.each(['x.js', '..%2findex.html', 'sources.sha256', '%', 'index.html'])(
    'a missing asset (%s) is answered in the error shape',
    async (name) => {
      expectError(await call(`${service.url}/console/assets/${name}`), 404);
    },
  );

  it('is small: all of them together are under 250 kB gzipped', () => {
    const sizes = assets.map((name) => {
      const content = readFileSync(join(BUILT_CONSOLE, 'assets', name));
      return gzipSync(content).length;
    });
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_GZIPPED);
  });
});

async function rawGet(url: string, acceptEncoding: string) {
  const { request } = await import('node:http');
  return new Promise<{ headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    request(url, { headers: { 'accept-encoding': acceptEncoding } }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => resolve({ headers: incoming.headers, body: Buffer.concat(chunks) }));
    })
      .on('error', reject)
      .end();
  });
}
