import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { SUITES } from './long-suites.mjs';

const SCRIPT = fileURLToPath(new URL('test-long.mjs', import.meta.url));

function testLong(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('npm run test:long', () => {
  it.each([
    ['nowhere', 'nowhere is none of the suites; npm run test:long -- --help lists them'],
    ['e2e --store paper', '--store must be sqlite or postgres'],
    ['crash --rounds many', '--rounds must be a whole number from 1 to 99999'],
    ['surgery --seed x', '--seed must be a whole number from 0 to 999999999'],
    [
      'surgery --database oracle',
      '--database takes postgres, mariadb, sqlite or mysql; without it, all but mysql',
    ],
    ['release --scale 0', '--scale must be a number from 0.001 to 10'],
    ['faults --only tea', /^unwrite: --only: tea is none of .*\n$/],
    ['soak --colour blue', /^unwrite: Unknown option '--colour'.*; --help lists the options\n$/],
  ])('says in one line what is wrong with %s', (args, message) => {
    const { status, stderr } = testLong(...args.split(' '));
    expect(status).toBe(2);
    if (typeof message === 'string') expect(stderr).toBe(`unwrite: ${message}\n`);
    else expect(stderr).toMatch(message);
  });

  it('lists every suite and its flags with --help, and one alone with its name', () => {
    const { status, stdout } = testLong('--help');
    expect(status).toBe(0);
    for (const [name, { flags = {} }] of Object.entries(SUITES)) {
      expect(stdout).toMatch(new RegExp(`^  ${name} +\\w`, 'm'));
      for (const flag of Object.keys(flags)) expect(stdout).toContain(`--${flag} `);
    }
    expect(stdout).not.toMatch(/undefined|without it: \)/);
    expect(testLong('soak', '--help').stdout).not.toContain('crash  ');
  });
});
