import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../helpers/temporary-folder.ts';
import { fetchNode, ROOT } from './pack-server.ts';

const folder = makeTemporaryFolder();
const tools = makeTemporaryFolder();
afterAll(folder.remove);
afterAll(tools.remove);

const hasDpkg =
  process.platform === 'linux' && spawnSync('dpkg-deb', ['--version']).error === undefined;
const debianName = () => (process.arch === 'x64' ? 'amd64' : process.arch);
const run = (command: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  expect([command, status, stderr]).toEqual([command, 0, '']);
  return stdout;
};

it('a dry run of the release makes all its files, and says what would be published', {
  timeout: 900_000,
}, () => {
  const args = [join(ROOT, 'scripts/release.mjs'), '--dry-run', '--to', folder.path];
  // The oldest that may be there: what npm installs is not on the PATH of whoever runs this.
  const node = process.platform === 'linux' ? fetchNode('20.20.2', tools.path) : process.execPath;
  const { status, stdout, stderr } = spawnSync(node, args, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'packages/server/package.json'), 'utf8'));
  const tarballs = [`unwrite-${version}`, `unwrite-client-${version}`, `opendsr-${version}`].map(
    (name) => `${name}.tgz`,
  );
  // Where there is a base image: packages/server/test/deploy/image.long.test.ts looks into it.
  const images = /^No image is made here: /m.test(stdout)
    ? []
    : [`unwrite-image_${version}_${debianName()}.tar.gz`];
  const debs = hasDpkg ? [`unwrite_${version}_${debianName()}.deb`] : [];
  expect(readdirSync(folder.path).sort()).toEqual(
    [
      ...tarballs,
      ...debs,
      ...images,
      `unwrite-${version}.cdx.json`,
      `unwrite-${version}.provenance.json`,
      'release-notes.md',
      'SHA256SUMS',
    ].sort(),
  );
  expect(stdout).toContain('Nothing is signed: ');
  expect(stdout).toContain('Nothing is published.');
  for (const tarball of tarballs)
    expect(stdout).toContain(`  npm publish ${tarball} --access public\n`);

  const check = spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
    cwd: folder.path,
    encoding: 'utf8',
  });
  expect(check.stdout.match(/: OK$/gm)).toHaveLength(6 + debs.length + images.length);
  const sbom = JSON.parse(readFileSync(join(folder.path, `unwrite-${version}.cdx.json`), 'utf8'));
  expect(sbom.metadata.component).toMatchObject({ name: 'unwrite', version });
  for (const { name, licenses } of sbom.components) expect(licenses, name).toHaveLength(1);
  const notes = readFileSync(join(folder.path, 'release-notes.md'), 'utf8');
  expect(notes.startsWith(`# Unwrite ${version}\n\n`)).toBe(true);
  expect(notes).toContain('\n### Added\n');
});

describe.runIf(hasDpkg)('the Debian package of that run', () => {
  const root = join(folder.path, 'unpacked');
  const deb = () => {
    const name = readdirSync(folder.path).find((file) => file.endsWith('.deb'));
    return join(folder.path, name ?? 'no .deb');
  };

  it('brings a Node.js of its own that runs the command', () => {
    run('dpkg-deb', '--extract', deb(), root);
    const place = join(root, 'usr/lib/unwrite');
    expect(run(join(place, 'node'), join(place, 'package/bin/unwrite.js'), 'version')).toMatch(
      /^unwrite \d+\.\d+\.\d+ \(Node\.js v26\./,
    );
    run('sh', '-n', join(root, 'usr/bin/unwrite'));
  });

  it('belongs to root, and keeps the settings that an operator has changed', () => {
    expect(run('dpkg-deb', '--contents', deb())).not.toMatch(/^\S+ (?!root\/root )/m);
    expect(run('dpkg-deb', '--info', deb(), 'conffiles')).toBe(
      '/etc/unwrite/unwrite.config.yaml\n',
    );
    for (const script of ['postinst', 'prerm', 'postrm']) {
      writeFileSync(join(root, script), run('dpkg-deb', '--info', deb(), script));
      run('sh', '-n', join(root, script));
    }
  });

  it.skipIf(spawnSync('systemd-analyze', ['--version']).error !== undefined)(
    'has a unit that systemd understands, every line of it',
    () => {
      const unit = readFileSync(join(root, 'usr/lib/systemd/system/unwrite.service'), 'utf8');
      // It looks whether the program is there.
      const here = unit.replace('/usr/lib/unwrite/node', join(root, 'usr/lib/unwrite/node'));
      writeFileSync(join(root, 'unwrite.service'), here);
      run('systemd-analyze', 'verify', join(root, 'unwrite.service'));
    },
  );
});
