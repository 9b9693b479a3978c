// What a module takes from the machine, and what is left of it when its process has ended.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModuleConnector } from '../../../src/connectors/module/create-module-connector.ts';
import { subjectOf } from '../../helpers/subject.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';
import { moduleTarget } from './module-target.ts';

const anna = subjectOf(1, [['email', 'anna@example.com']]);

let folder: TemporaryFolder;
let files = 0;
beforeAll(() => {
  folder = makeTemporaryFolder();
});
afterAll(() => folder.remove());

/** A module that starts a program, whose number its `check` says; `then` is its `preview`. */
async function openWithProgram(then: string, timeout = 10_000) {
  const file = join(folder.path, `module-${++files}.mjs`);
  const code = `import { spawn } from 'node:child_process';
    const program = spawn('sleep', ['600'], { stdio: 'ignore' });
    const none = async () => [];
    export default () => ({
      check: async () => [{ level: 'ok', subject: 'pid', message: String(program.pid) }],
      preview: async () => { ${then} },
      erase: none, verify: none, close: none,
    });`;
  writeFileSync(file, code);
  const connector = await createModuleConnector({ ...moduleTarget(file), timeout });
  const [line] = await connector.check();
  return { connector, program: Number(line?.message) };
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const untilEnded = (pid: number) =>
  until(
    () => !lives(pid),
    () => `${pid} lives`,
    10_000,
  );

describe('a program that a module has started', () => {
  it.each([
    ['waits for it past its timeout', 'await new Promise(() => {})', 'timeout'],
    ['exits', 'process.exit(0)', 'module_ended'],
    ['loops', 'for (;;);', 'timeout'],
  ])('ends with the process of a module that %s', async (_, then, code) => {
    const { connector, program } = await openWithProgram(then, 2000);
    expect(lives(program)).toBe(true);

    await expect(connector.preview([anna])).rejects.toMatchObject({ code });

    await untilEnded(program);
  });

  it('ends when the process is no longer needed', async () => {
    const { connector, program } = await openWithProgram('return []');

    await connector.close();

    await untilEnded(program);
  });
});

describe('a module that fills memory outside the heap of JavaScript', () => {
  it('is ended, and the others and Unwrite keep theirs', { timeout: 60_000 }, async () => {
    const { connector } = await openWithProgram(
      `const all = [];
       for (let n = 0; n < 2048; n++) all.push(Buffer.alloc(2 ** 20, 1));
       await new Promise(() => {});`,
      30_000,
    );

    await expect(connector.preview([anna])).rejects.toMatchObject({
      code: 'module_ended',
      message: expect.stringContaining('memory'),
    });
  });
});
