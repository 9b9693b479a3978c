// What docs/controllers.md, the READMEs and examples/controller tell a controller to type works, against our own server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError } from 'commander';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ControllerId } from '../../server/src/domain/tenant/controller-id.ts';
import { startServiceIn, type TestService } from '../../server/test/helpers/servers/service.ts';
import { SHORT_INTERVALS } from '../../server/test/helpers/servers/short-intervals.ts';
import { makeTemporaryFolder } from '../../server/test/helpers/temporary-folder.ts';
import { bundled } from '../../server/test/helpers/use-bundle.ts';
import { addCommands } from '../src/program.ts';
import { systemIo } from '../src/system-io.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const MAIN = bundled(fileURLToPath(new URL('../src/main.ts', import.meta.url)));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const folder = makeTemporaryFolder();
let service: TestService;
let env: Record<string, string>;

beforeAll(async () => {
  service = await startServiceIn(join(folder.path, 'data'), {}, SHORT_INTERVALS);
  const { client_id, client_secret, audience } = await service.client('acme');
  env = {
    PATH: `${folder.path}:${dirname(process.execPath)}:${process.env.PATH}`,
    BASE: service.url,
    CLIENT_ID: client_id,
    CLIENT_SECRET: client_secret,
    AUDIENCE: audience,
  };
  const npx = join(folder.path, 'npx');
  writeFileSync(npx, `#!/bin/bash\nshift; exec "${process.execPath}" "${MAIN}" "$@"\n`);
  chmodSync(npx, 0o755);
  writeFileSync(join(folder.path, 'people.csv'), 'E-Mail,Name\njane@example.com,Jane\n');
});
afterAll(async () => {
  await service.close();
  folder.remove();
});

/** The server is in this process: it must be able to answer meanwhile. */
async function run(command: string, args: readonly string[], more: Record<string, string> = {}) {
  const child = spawn(command, args, { cwd: folder.path, env: { ...env, ...more } });
  const ended = once(child, 'exit');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = await ended;
  return { status, stdout, stderr };
}

/** As an operator: starts what is pending, and confirms that it was erased by hand, as soon as there is something. */
async function completeOne(): Promise<string> {
  const { tasks, operator, clock } = service.installation.store;
  const controllerId = 'acme' as ControllerId;
  let id = '';
  await vi.waitUntil(
    async () => {
      const [task] = await tasks.tasks({ controllerId, limit: 1, state: 'held' } as never);
      if (task === undefined) return false;
      id = task.subjectRequestId;
      await operator.confirm(task.taskNo, 'done', { actor: 'operator:olga', now: clock() });
      return true;
    },
    { timeout: 30_000, interval: 100 },
  );
  return id;
}

async function startNow(id: string): Promise<void> {
  const { operator, clock } = service.installation.store;
  const key = { controllerId: 'acme' as ControllerId, subjectRequestId: id };
  await operator.askStart(key as never, { actor: 'operator:olga', now: clock() });
}

describe('examples/controller', () => {
  it('first-request.ts submits, waits, and verifies the receipt', async () => {
    const file = join(ROOT, 'examples/controller/first-request.ts');
    const child = spawn(process.execPath, [file], { cwd: folder.path, env });
    const ended = once(child, 'exit');
    let output = '';
    child.stdout.on('data', async (chunk) => {
      output += chunk;
      const [, id] = /^submitted: (\S+)/m.exec(output) ?? [];
      if (id !== undefined && !output.includes('it is')) await startNow(id);
    });
    const errors = text(child.stderr);
    await completeOne();
    expect([(await ended)[0], await errors]).toEqual([0, expect.not.stringContaining('jane')]);
    expect(output).toMatch(/it is completed\nerased, and signed at 20/);
  });

  it('is what docs/controllers.md shows', () => {
    const [, shown = ''] =
      /```ts\n(import \{ ErasureClient \}.*?)```/s.exec(read('docs/controllers.md')) ?? [];
    const example = read('examples/controller/first-request.ts');
    const lines = shown
      .split('\n')
      .filter((line) => !/^import|baseUrl|^const|^\}\);$|^$/.test(line));
    expect(lines.length).toBeGreaterThan(8);
    for (const line of lines) expect(example).toContain(line);
  });

  it('receive-callbacks.ts believes nobody who is not on its list', async () => {
    const { server } = await import('../../../examples/controller/receive-callbacks.ts');
    const problems = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    const headers = { 'x-opendsr-processor-domain': 'evil.test', 'x-opendsr-signature': 'AAAA' };
    const answer = await fetch(url, { method: 'POST', headers, body: '{}' });
    expect([answer.status, (await fetch(url)).status]).toEqual([401, 405]);
    expect(problems).toHaveBeenCalledWith('its domain is not one of those that are accepted');
    problems.mockRestore();
    await new Promise((resolve) => server.close(resolve));
  });
});

const BLOCK = /<!-- run by packages\/opendsr\/test\/docs\.test\.ts -->\n\n```sh\n(.*?)```/gs;

describe('the commands of docs/controllers.md', () => {
  const blocks = [...read('docs/controllers.md').matchAll(BLOCK)].map(([, block = '']) => block);

  it('can be run: a whole file, receipts, conformance', async () => {
    expect(blocks).toHaveLength(3);
    const [many = '', receipts = '', conformance = ''] = blocks;
    const token = await service.token('acme');
    const id = await completedRequest(token);
    const script = (...lines: string[]) => ['set -euo pipefail', ...lines].join('\n');
    const [exports = ''] = /^(export .*\n)+/m.exec(many) ?? [];
    for (const lines of [[many], [receipts], [exports, conformance]]) {
      const { status, stderr } = await run('bash', ['--norc', '-c', script(...lines)], {
        TOKEN: token,
        ID: id,
      });
      expect([lines.join('\n'), status, stderr]).toEqual([lines.join('\n'), 0, expect.any(String)]);
    }
  }, 120_000);

  async function completedRequest(token: string): Promise<string> {
    const id = crypto.randomUUID();
    const body = {
      regulation: 'gdpr',
      subject_request_id: id,
      subject_request_type: 'erasure',
      submitted_time: new Date().toISOString(),
    };
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await fetch(`${service.url}/requests`, { method: 'POST', headers, body: JSON.stringify(body) });
    await startNow(id);
    await completeOne();
    await vi.waitUntil(
      async () => (await fetch(`${service.url}/receipts/${id}`, { headers })).status === 200,
      { timeout: 15_000, interval: 100 },
    );
    return id;
  }
});

describe('the commands of packages/opendsr/README.md', () => {
  const program = new Command('opendsr').exitOverride();
  addCommands(program, { io: systemIo(), end: () => undefined });
  const idle = (command: Command): void => {
    command
      .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
      .exitOverride();
    for (const one of command.commands) idle(one);
    if (command.commands.length === 0) command.action(() => undefined);
  };
  idle(program);
  const shown = [...read('packages/opendsr/README.md').matchAll(/```sh\n(.*?)```/gs)]
    .flatMap(([, block = '']) => block.split('\n'))
    .map((line) => /opendsr (.*)$/.exec(line)?.[1]?.replace(/ +#.*$/, ''))
    .filter((line) => line !== undefined);

  it.each(shown)('exist: opendsr %s', (line) => {
    const words = line.replaceAll(/[[\]"]/g, '').split(/\s+/);
    try {
      program.parse(words, { from: 'user' });
    } catch (error) {
      expect.fail(error instanceof CommanderError ? error.message : String(error));
    }
  });
});
