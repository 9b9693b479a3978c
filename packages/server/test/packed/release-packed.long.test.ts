import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';
import { ROOT } from './pack-server.ts';

const folder = makeTemporaryFolder();
afterAll(folder.remove);

it('a dry run of the release makes all its files, and says what would be published', {
  timeout: 300_000,
}, () => {
  const args = [join(ROOT, 'scripts/release.mjs'), '--dry-run', '--to', folder.path];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'packages/server/package.json'), 'utf8'));
  const tarballs = [`unwrite-${version}`, `unwrite-client-${version}`, `opendsr-${version}`].map(
    (name) => `${name}.tgz`,
  );
  expect(readdirSync(folder.path).sort()).toEqual(
    [...tarballs, `unwrite-${version}.cdx.json`, 'release-notes.md', 'SHA256SUMS'].sort(),
  );
  expect(stdout).toContain('Nothing is published.');
  for (const tarball of tarballs)
    expect(stdout).toContain(`  npm publish ${tarball} --access public\n`);

  const check = spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
    cwd: folder.path,
    encoding: 'utf8',
  });
  expect(check.stdout.match(/: OK$/gm)).toHaveLength(5);
  const sbom = JSON.parse(readFileSync(join(folder.path, `unwrite-${version}.cdx.json`), 'utf8'));
  expect(sbom.metadata.component).toMatchObject({ name: 'unwrite', version });
  for (const { name, licenses } of sbom.components) expect(licenses, name).toHaveLength(1);
  expect(readFileSync(join(folder.path, 'release-notes.md'), 'utf8')).toMatch(
    new RegExp(`^# Unwrite ${RegExp.escape(version)}\n\n### Added\n`),
  );
});
