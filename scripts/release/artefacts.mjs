// The files of a release, each made by a step. A step gets the folder and the version, writes files there, and says how
// they are published. The image is a further step.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeSbom } from '../make-sbom.mjs';
import { PUBLISHED, pack } from '../pack.mjs';
import { fail, ROOT } from '../run.mjs';
import { buildDeb, canBuildDeb } from './build-deb.mjs';
import { notesOf } from './notes.mjs';

export const NOTES = 'release-notes.md';
const CHECKSUMS = 'SHA256SUMS';

/** In this order; the checksums are of all files that are there by then. */
export const STEPS = [packTarballs, packDeb, writeSbom, writeNotes, writeChecksums];

function packTarballs({ folder }) {
  return PUBLISHED.map((name) => {
    const file = basename(pack(name, folder));
    return { file, publish: ['npm', 'publish', file, '--access', 'public'] };
  });
}

/** For the architecture of this machine. It is attached to the release by hand, as there is no repository of ours. */
function packDeb({ folder, version, isDryRun }) {
  if (canBuildDeb())
    return [{ file: buildDeb({ folder, version, tarball: `unwrite-${version}.tgz` }) }];
  if (!isDryRun) fail('the .deb needs dpkg-deb, on Linux on x64 or arm64', 1);
  console.log('No .deb is made here: that needs dpkg-deb, on Linux on x64 or arm64.');
  return [];
}

/** Of the server's package, and of what is built into it. */
function writeSbom({ folder, version }) {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const file = `unwrite-${version}.cdx.json`;
  writeFileSync(join(folder, file), `${JSON.stringify(makeSbom(lock), null, 2)}\n`);
  return [{ file }];
}

function writeNotes({ folder, version, isDryRun }) {
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  const released = notesOf(changelog, version);
  if (released === undefined && !isDryRun)
    fail(
      `CHANGELOG.md has no section "## ${version}": give "Unreleased" this heading, with the date`,
    );
  const notes = released ?? notesOf(changelog, 'Unreleased');
  if (notes === undefined) fail('CHANGELOG.md has no section of this version, and no "Unreleased"');
  writeFileSync(join(folder, NOTES), `# Unwrite ${version}\n\n${notes}\n`);
  return [{ file: NOTES }];
}

/** As `sha256sum --check SHA256SUMS` reads it. */
function writeChecksums({ folder }) {
  const lines = readdirSync(folder)
    .filter((file) => file !== CHECKSUMS)
    .sort()
    .map((file) => {
      const digest = createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex');
      return `${digest}  ${file}\n`;
    });
  writeFileSync(join(folder, CHECKSUMS), lines.join(''));
  return [{ file: CHECKSUMS }];
}
