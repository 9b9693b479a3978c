// The package as it is published: packed, installed in an empty project without the repository, and used there.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../helpers/free-port.ts';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';
import { fetchNode, ROOT, runPack, withCopyOfRepository } from './pack-server.ts';
import { serveInstalled } from './serve-installed.ts';

const folder = makeTemporaryFolder();
const project = join(folder.path, 'project');
const installed = join(project, 'node_modules/unwrite');
const home = join(folder.path, 'home');
let bin: string;

beforeAll(() => {
  mkdirSync(home);
  bin = runPack(ROOT, project, '--install');
}, 300_000);
afterAll(folder.remove);

const tarballIn = (place: string) =>
  join(place, readdirSync(place).find((file) => file.endsWith('.tgz')) ?? 'no tarball');
const digestOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Of every file. */
function contentOf(place: string): string[] {
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(join(place, file)).isFile())
    .map((file) => `${file} ${digestOf(join(place, file))}`)
    .sort();
}

describe('the package', () => {
  it('is the same, byte for byte, when it is built again, in another folder', {
    timeout: 300_000,
  }, () => {
    const again = withCopyOfRepository((copy) => runPack(copy, join(folder.path, 'again')));
    expect(digestOf(again)).toBe(digestOf(tarballIn(project)));
    expect(existsSync(join(ROOT, 'packages/server/package.source.json'))).toBe(false);
  });

  it('is alone in an empty project: what it needs is built in, with the licences', () => {
    const beside = readdirSync(join(project, 'node_modules')).filter((it) => !it.startsWith('.'));
    expect(beside).toEqual(['unwrite']);
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(Object.keys(manifest)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/dependencies|scripts/i)]),
    );
    const licences = readFileSync(join(installed, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['fastify', 'pg', 'mysql2', 'react', 'uplot'])
      expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'));
    expect(existsSync(join(installed, 'LICENSE'))).toBe(true);
  });

  it('has neither sources nor tests, and less than 4 MB', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
    expect(
      files.filter((file) => /(^|\/)(src|test)\/.*(?<!\.d)\.ts$|\.cache|\.map$/.test(file)),
    ).toEqual([]);
    expect(statSync(tarballIn(project)).size).toBeLessThan(4_000_000);
  });

  it('has no path of the machine that it was built on', () => {
    const named = contentOf(installed)
      .map((line) => line.split(' ')[0] ?? '')
      .filter((file) => readFileSync(join(installed, file), 'latin1').includes(ROOT));
    expect(named).toEqual([]);
  });

  it('has types for modules that need nothing else', () => {
    writeFileSync(
      join(project, 'use.ts'),
      `import type { ModuleConnector, Subject } from 'unwrite/module';
       export const emails = (subject: Subject) => subject.identities.map((it) => it.reveal());
       export const wrong: ModuleConnector = {
         // @ts-expect-error: it answers for each subject.
         erase: async () => 'done',
       };`,
    );
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const args = ['--noEmit', '--strict', '--module', 'nodenext', '--types', '', 'use.ts'];
    const { stdout } = spawnSync(process.execPath, [tsc, ...args], {
      cwd: project,
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  });

  it('is found by publint to be in order', () => {
    const publint = join(ROOT, 'node_modules/publint/src/cli.js');
    const { stdout } = spawnSync(process.execPath, [publint, tarballIn(project)], {
      encoding: 'utf8',
    });
    expect(stdout).toMatch(/All good/);
  });
});

// The registry has the binaries under other names for other systems.
describe.skipIf(process.platform !== 'linux')('an installed package', () => {
  it.each(['24.21.0', '26.10.0'])(
    'serves on Node.js %s, with console and API docs',
    async (version) => {
      const node = fetchNode(version, folder.path);
      const before = contentOf(installed);
      const place = join(folder.path, `data of ${version}`);
      mkdirSync(place);
      const server = await serveInstalled({ node, bin, home, place, port: await freePort() });
      try {
        const { url } = server;
        const text = async (path: string) => {
          const answer = await fetch(`${url}${path}`);
          return `${answer.status} ${await answer.text()}`;
        };
        expect(await text('/console')).toMatch(/^200 <!doctype html>/i);
        const asset = /\/console\/assets\/[^"]+\.js/.exec(await text('/console'))?.[0] ?? 'none';
        expect(await text(asset)).toMatch(/^200 /);
        expect(await text('/docs/')).toMatch(/^200 .*swagger-ui-bundle\.js/s);
        expect(await text('/docs/static/swagger-ui-bundle.js')).toMatch(/^200 /);
        expect(await text('/openapi.json')).toMatch(/^200 \{"openapi":"3\.1\.0"/);
        expect(server.output()).toContain('a controller "demo" was made');
      } finally {
        await server.stop();
      }
      expect(contentOf(installed)).toEqual(before);
      expect(readdirSync(join(home, '.cache/unwrite')).join()).toContain(`v${version}`);
    },
  );

  it.each(['20.20.2', '22.23.3'])('says on Node.js %s in one line what it needs', (version) => {
    const node = fetchNode(version, folder.path);
    const { status, stdout, stderr } = spawnSync(node, [bin, 'serve'], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^unwrite: needs Node\.js 24 or newer; this is v\d+\.\d+\.\d+\..*\n$/);
  });

  it('has the files that its pages link to, but for those of the source', () => {
    const missing = readdirSync(join(installed, 'docs')).flatMap((page) => {
      const text = page.endsWith('.md') ? readFileSync(join(installed, 'docs', page), 'utf8') : '';
      return [...text.matchAll(/\]\((?!https?:)([^)#\s]+)/g)]
        .map(([, link = '']) => link)
        .filter((link) => !/^\.\.\/(?:packages\/|CONTRIBUTING|ARCHITECTURE)/.test(link))
        .filter((link) => !existsSync(join(installed, 'docs', link)))
        .map((link) => `${page}: ${link}`);
    });
    expect(missing).toEqual([]);
  });

  it('names itself as it was called', () => {
    const run = (command: string, args: string[], extra: Record<string, string> = {}) =>
      spawnSync(command, args, {
        cwd: project,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: home, ...extra },
      }).stderr;
    expect(run(process.execPath, [bin, 'request', 'list'])).toContain('"unwrite client create"');
    const byNpx = run('npx', ['unwrite', 'request', 'list']);
    expect(byNpx).toContain('"npx unwrite client create"');
  });

  it('leaves no compiled code in the home folder of another user', () => {
    const foreign = join(folder.path, 'foreign');
    mkdirSync(foreign);
    if (process.getuid?.() === 0) chownSync(foreign, 12_345, 12_345);
    const env = {
      PATH: process.env.PATH,
      HOME: process.getuid?.() === 0 ? foreign : '/',
      XDG_CACHE_HOME: join(folder.path, 'cache'),
    };
    const { status } = spawnSync(process.execPath, [bin, 'version'], { env });
    expect(status).toBe(0);
    expect(existsSync(env.XDG_CACHE_HOME)).toBe(false);
  });
});
