// A module runs in a process of its own: what it does to that process touches nothing else.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  createModuleConnector,
  type ModuleDeps,
} from '../../../src/connectors/module/create-module-connector.ts';
import { createRestartBudget } from '../../../src/connectors/module/restart-budget.ts';
import type { Connector } from '../../../src/domain/target/connector.ts';
import { subjectOf } from '../../helpers/subject.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';
import { moduleTarget } from './module-target.ts';

const anna = subjectOf(1, [['email', 'anna@example.com']]);
const LOOP = '() => { for (;;); }';

let folder: TemporaryFolder;
let files = 0;
const opened: Connector[] = [];
beforeAll(() => {
  folder = makeTemporaryFolder();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close().catch(() => undefined)));
});
afterAll(() => folder.remove());

function writeModule(functions: Record<string, string>): string {
  const say = `async () => [{ level: 'ok', subject: 'pid', message: String(process.pid) }]`;
  const none = 'async () => []';
  const all = { check: say, preview: none, erase: none, verify: none, close: none, ...functions };
  const file = join(folder.path, `module-${++files}.mjs`);
  const body = Object.entries(all).map(([name, code]) => `${name}: ${code}`);
  writeFileSync(file, `export default () => ({ ${body.join(',\n')} });`);
  return file;
}

async function open(functions: Record<string, string>, deps: ModuleDeps = {}, timeout = 10_000) {
  const config = { ...moduleTarget(writeModule(functions)), timeout };
  const connector = await createModuleConnector(config, deps);
  opened.push(connector);
  return connector;
}

async function pidOf(connector: Connector): Promise<number> {
  const [line] = await connector.check();
  return Number(line?.message);
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a module that', () => {
  it.each([
    ['exits with 0', `async () => process.exit(0)`, 'exit code 0'],
    ['exits with 3', `async () => process.exit(3)`, 'exit code 3'],
    [
      'rejects unhandled',
      `() => { Promise.reject(new Error('x')); return new Promise(() => {}); }`,
      'exit code 1',
    ],
    ['throws in a timer', `() => new Promise(() => setTimeout(() => { throw 1; }))`, 'exit code'],
    [
      'kills itself',
      `() => { process.kill(process.pid, 'SIGKILL'); return new Promise(() => {}); }`,
      'SIGKILL',
    ],
  ])('%s ends its own process, and the target is down', async (_, preview, words) => {
    const connector = await open({ preview });

    await expect(connector.preview([anna])).rejects.toMatchObject({
      name: 'TargetDown',
      code: 'module_ended',
      message: expect.stringContaining(words),
    });
    expect(lives(await pidOf(connector))).toBe(true);
  });

  it.each([
    ['loops', LOOP],
    ['never answers', '() => new Promise(() => {})'],
  ])('%s is ended after its timeout', async (_, preview) => {
    const connector = await open({ preview }, {}, 1000);
    const pid = await pidOf(connector);

    await expect(connector.preview([anna])).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('raise timeout of the target'),
    });
    await until(
      () => !lives(pid),
      () => `${pid} lives`,
    );
  });

  it('loops while it is loaded is ended too', async () => {
    const file = join(folder.path, 'loops.mjs');
    writeFileSync(file, 'for (;;);');

    await expect(
      createModuleConnector({ ...moduleTarget(file), timeout: 500 }),
    ).rejects.toMatchObject({ code: 'timeout' });
  });

  it('ends between two calls is reported at the next call', async () => {
    const connector = await open({
      preview: `async () => { setTimeout(() => process.exit(0)); return [{ outcome: 'unmatched' }]; }`,
    });
    const pid = await pidOf(connector);

    expect(await connector.preview([anna])).toEqual([{ outcome: 'unmatched' }]);
    await until(
      () => !lives(pid),
      () => `${pid} lives`,
    );
    await expect(connector.check()).rejects.toMatchObject({
      code: 'module_ended',
      message: expect.stringContaining('between two calls'),
    });
  });

  it('sends messages of its own does not pass them off as answers', async () => {
    const connector = await open({
      preview: `async () => { process.send({ json: '[{"outcome":"found","counts":{}}]' });
        return [{ outcome: 'unmatched' }]; }`,
    });

    expect(await connector.preview([anna])).toEqual([{ outcome: 'unmatched' }]);
  });
});

describe('a module that writes to the channel to Unwrite', () => {
  const write = (length: string) => `async () => {
    const { writeSync } = await import('node:fs');
    const length = Buffer.alloc(4);
    length.writeUInt32BE(${length});
    for (const bytes of [length, Buffer.alloc(100_000)]) {
      try { writeSync(3, bytes); } catch {}
    }
    return new Promise(() => {});
  }`;
  it.each([
    ['more than an answer may have', '4_000_000_000', 'sent more than an answer'],
    ['messages of its own', '50_000', 'wrote to the channel'],
  ])('%s is ended at once, before they fill the memory', async (_, length, words) => {
    const connector = await open({ preview: write(length) }, {}, 60_000);

    await expect(connector.preview([anna])).rejects.toMatchObject({
      code: 'module_ended',
      message: expect.stringContaining(words),
    });
  });
});

describe('the process of a module', () => {
  it('has ended when its connector is closed, so that no zombie is left of it', async () => {
    const connector = await open({});
    const pid = await pidOf(connector);
    await connector.close();
    expect(lives(pid)).toBe(false);
  });

  it('has none of our secrets in its environment', async () => {
    process.env.UNWRITE_MASTER_KEY = 'secret';
    process.env.CRM_PASSWORD = 'secret';
    try {
      const connector = await open({
        check: `async () => [{ level: 'ok', subject: 'env', message: JSON.stringify(process.env) }]`,
      });
      const [line] = await connector.check();
      expect(line?.message).toContain('"PATH"');
      expect(line?.message).not.toContain('secret');
    } finally {
      delete process.env.UNWRITE_MASTER_KEY;
      delete process.env.CRM_PASSWORD;
    }
  });

  it('is ended when idle, and another is started when needed', async () => {
    const connector = await open({}, { idleMs: 20 });
    const first = await pidOf(connector);

    await until(
      () => !lives(first),
      () => `${first} lives`,
    );
    expect(await pidOf(connector)).not.toBe(first);
  });

  it('the end of one process does not affect a call in another', async () => {
    const connector = await open({
      preview: `() => new Promise((resolve) => setTimeout(resolve, 300, [{ outcome: 'unmatched' }]))`,
      verify: `async () => process.exit(0)`,
    });

    const slow = connector.preview([anna]);
    await expect(connector.verify([])).rejects.toMatchObject({ code: 'module_ended' });
    expect(await slow).toEqual([{ outcome: 'unmatched' }]);
  });

  it('is not started again without end', async () => {
    let now = 0;
    const restarts = createRestartBudget(() => now);
    const file = writeModule({ preview: 'async () => process.exit(0)' });
    for (let ends = 0; ends < 10; ends++) {
      expect(restarts.waitFor('files')).toBe(0);
      restarts.spend('files');
    }

    const making = () => createModuleConnector(moduleTarget(file), { restarts });
    await expect(making()).rejects.toMatchObject({
      code: 'module_ended',
      message: expect.stringContaining('restarted in 60 s'),
    });
    expect(restarts.waitFor('others')).toBe(0);
    now += 60_000;
    opened.push(await making());
  });

  it('that exits now and then has ten restarts, and after those one each minute', () => {
    let now = 0;
    const restarts = createRestartBudget(() => now);
    const spendAll = () => {
      let count = 0;
      for (; restarts.waitFor('files') === 0; count++) restarts.spend('files');
      return count;
    };
    expect(spendAll()).toBe(10);
    expect(restarts.waitFor('files')).toBe(60_000);
    now += 59_999;
    expect(spendAll()).toBe(0);
    now += 1;
    expect(spendAll()).toBe(1);
    now += 150_000;
    expect(spendAll()).toBe(2);
    expect(restarts.waitFor('files')).toBe(30_000);
    // However long it is quiet, it has no more than ten.
    now += 24 * 3_600_000;
    expect(spendAll()).toBe(10);
  });

  it('whose other processes end while none may be started waits no longer for them', () => {
    let now = 0;
    const restarts = createRestartBudget(() => now);
    for (let ends = 0; ends < 12; ends++) restarts.spend('files');
    expect(restarts.waitFor('files')).toBe(60_000);
    now += 60_000;
    expect(restarts.waitFor('files')).toBe(0);
  });

  it('ends with the server, even while the module loops', async () => {
    const source = import.meta.resolve('../../../src/connectors/module/create-module-connector.ts');
    const target = JSON.stringify(moduleTarget(writeModule({ preview: LOOP })));
    const program = `import { createModuleConnector } from ${JSON.stringify(source)};
      const connector = await createModuleConnector(${target});
      const [{ message }] = await connector.check();
      connector.preview([]);
      process.stdout.write(message);`;
    const server = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    const [pid] = await once(server.stdout, 'data');

    server.kill('SIGKILL');

    await until(
      () => !lives(Number(pid)),
      () => `${pid} lives`,
    );
  });
});
