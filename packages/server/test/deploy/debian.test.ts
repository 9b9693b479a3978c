// The command of the Debian package takes over the settings of the service as systemd does.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';
import { ROOT } from './tools.ts';

const hasShell = spawnSync('sh', ['-c', 'exit 0']).status === 0;

/** The environment that `unwrite …` runs with, where /etc/unwrite/environment holds this. */
function environmentWith(text: string): string {
  const folder = makeTemporaryFolder();
  const file = join(folder.path, 'environment');
  writeFileSync(file, text);
  const script = readFileSync(join(ROOT, 'deploy/debian/unwrite.sh'), 'utf8')
    .replaceAll('/etc/unwrite/environment', file)
    .replaceAll('runuser -u unwrite -- ', '')
    .replaceAll('/usr/lib/unwrite/node /usr/lib/unwrite/package/bin/unwrite.js', 'env');
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, UNWRITE_DATA_DIR: '/elsewhere' },
  });
  folder.remove();
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

// By the rules of EnvironmentFile= in systemd.exec(5).
it.skipIf(!hasShell).each([
  [
    'UNWRITE_STORE=postgres://u:p$$w@db/unwrite?sslmode=verify-full&sslrootcert=/x.pem',
    'postgres://u:p$$w@db/unwrite?sslmode=verify-full&sslrootcert=/x.pem',
  ],
  ['UNWRITE_STORE="a $HOME `id` \\"b\\""', 'a $HOME `id` "b"'],
  ['UNWRITE_STORE=\'a\\b "c"\'', 'a\\b "c"'],
  ['UNWRITE_STORE=a\\\\b; touch /tmp/never', 'a\\b; touch /tmp/never'],
  ['  UNWRITE_STORE = b  \r'.replace(' = ', '= '), 'b'],
  [
    '# a comment\n; another\n\nnothing\nno-name=x\nUNWRITE_STORE=last line without an end',
    'last line without an end',
  ],
])('a line of the environment is a value, and no command: %s', (text, value) => {
  const lines = environmentWith(text).split('\n');
  expect(lines).toContain(`UNWRITE_STORE=${value}`);
  expect(lines).toContain('UNWRITE_DATA_DIR=/elsewhere');
  expect(lines).toContain('UNWRITE_CONFIG=/etc/unwrite/unwrite.config.yaml');
});
