import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

function run(script, ...args) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [path, ...args], { encoding: 'utf8' });
  return { status, stderr };
}

describe('a script that was given a wrong flag', () => {
  it.each([
    ['e2e.mjs', ['--store', 'paper'], '--store must be sqlite or postgres'],
    ['crash.mjs', ['--rounds', 'many'], '--rounds must be a whole number from 1 to 99999'],
    ['surgery.mjs', ['--seed', 'x'], '--seed takes a whole number'],
    ['fuzz.mjs', ['--runs', '0'], '--runs must be a whole number from 1 to 999999999'],
    ['test-long.mjs', ['nowhere'], 'no path of a long test contains nowhere'],
  ])('%s says so in one line, with the prefix of the command line', (script, args, message) => {
    expect(run(script, ...args)).toEqual({ status: 2, stderr: `unwrite: ${message}\n` });
  });

  it.each(['e2e.mjs', 'crash.mjs', 'surgery.mjs', 'fuzz.mjs'])(
    '%s names a flag that it does not have, without a stack trace',
    (script) => {
      const { status, stderr } = run(script, '--colour', 'blue');
      expect(status).toBe(2);
      expect(stderr).toMatch(/^unwrite: .*'--colour'/);
      expect(stderr).not.toMatch(/^ +at /m);
    },
  );
});
