import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

function run(script, ...args) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const SCALED = [
  'crash',
  'e2e',
  'fuzz',
  'histories',
  'hostile',
  'leaks',
  'prove',
  'soak',
  'surgery',
].map((name) => `${name}.mjs`);

describe('a script that was given a wrong flag', () => {
  it.each([
    ['e2e.mjs', ['--store', 'paper'], '--store must be sqlite or postgres'],
    ['crash.mjs', ['--rounds', 'many'], '--rounds must be a whole number from 1 to 99999'],
    ['surgery.mjs', ['--seed', 'x'], '--seed must be a whole number from 0 to 2147483647'],
    ['fuzz.mjs', ['--runs', '0'], '--runs must be a whole number from 1 to 999999999'],
    ['prove.mjs', ['--scale', '0'], '--scale must be a number from 0.001 to 10'],
    [
      'prove.mjs',
      ['--only', 'soak,tea'],
      '--only: tea is none of crash, crash-postgres, fuzz, hostile, leaks, soak, soak-postgres',
    ],
    ['test-long.mjs', ['nowhere'], 'no path of a long test contains nowhere'],
  ])('%s says so in one line, with the prefix of the command line', (script, args, message) => {
    expect(run(script, ...args)).toMatchObject({ status: 2, stderr: `unwrite: ${message}\n` });
  });

  it.each(SCALED)('%s names a flag that it does not have, without a stack trace', (script) => {
    const { status, stderr } = run(script, '--colour', 'blue');
    expect(status).toBe(2);
    expect(stderr).toMatch(/^unwrite: .*'--colour'/);
    expect(stderr).not.toMatch(/^ +at /m);
  });
});

describe('--help', () => {
  it.each(SCALED)('of %s explains each of its flags', (script) => {
    const { status, stdout } = run(script, '--help');
    expect(status).toBe(0);
    const lines = stdout.split('\n').filter((line) => line.startsWith('  --'));
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line).toMatch(/^ {2}--[a-z-]+ [A-Z]* +\w.+/);
    expect(stdout).not.toContain('undefined');
  });
});
