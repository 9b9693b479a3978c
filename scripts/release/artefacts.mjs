// The files of a release, each made by a step. A step gets the folder and the version, writes files there, and says how
// they are published. The image is a further step.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeSbom } from '../make-sbom.mjs';
import { PUBLISHED, pack } from '../pack.mjs';
import { fail, ROOT } from '../run.mjs';
import { buildDeb, canBuildDeb } from './build-deb.mjs';
import { buildImage } from './build-image.mjs';
import { notesOf } from './notes.mjs';
import { provenanceOf, sign } from './provenance.mjs';

export const NOTES = 'release-notes.md';
const CHECKSUMS = 'SHA256SUMS';

/** In this order; provenance and checksums are of all files that are there by then. */
export const STEPS = [
  packTarballs,
  packDeb,
  packImage,
  writeSbom,
  writeNotes,
  writeProvenance,
  writeChecksums,
  writeSignatures,
];

function packTarballs({ folder }) {
  return PUBLISHED.map((name) => {
    const file = basename(pack(name, folder));
    return { file, publish: ['npm', 'publish', file, '--access', 'public'] };
  });
}

/** For the architecture of this machine. */
function packDeb({ folder, version, isDryRun }) {
  if (canBuildDeb())
    return [{ file: buildDeb({ folder, version, tarball: `unwrite-${version}.tgz` }) }];
  if (!isDryRun) fail('the .deb needs dpkg-deb, on Linux on x64 or arm64', 1);
  console.log('No .deb is made here: that needs dpkg-deb, on Linux on x64 or arm64.');
  return [];
}

function packImage({ folder, version, isDryRun }) {
  const { file, problem } = buildImage({ folder, version });
  if (problem === undefined) return [{ file }];
  if (!isDryRun) fail(`the image cannot be made: ${problem}`, 1);
  console.log(`No image is made here: ${problem}.`);
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

function writeProvenance({ folder, version }) {
  const file = provenanceFile(version);
  const statement = provenanceOf({ version, subjects: digestsIn(folder) });
  writeFileSync(join(folder, file), `${JSON.stringify(statement, null, 2)}\n`);
  return [{ file }];
}

/** As `sha256sum --check SHA256SUMS` reads it. */
function writeChecksums({ folder }) {
  const lines = digestsIn(folder).map(({ name, digest }) => `${digest}  ${name}\n`);
  writeFileSync(join(folder, CHECKSUMS), lines.join(''));
  return [{ file: CHECKSUMS }];
}

function writeSignatures({ folder, version, isDryRun, key }) {
  if (key !== undefined)
    return sign({ folder, key, checksums: CHECKSUMS, provenance: provenanceFile(version) }).map(
      (file) => ({ file }),
    );
  if (!isDryRun) fail('a release is signed: give --sign the key of cosign', 1);
  console.log('Nothing is signed: --sign takes the key of cosign.');
  return [];
}

const provenanceFile = (version) => `unwrite-${version}.provenance.json`;

function digestsIn(folder) {
  return readdirSync(folder)
    .sort()
    .map((name) => ({
      name,
      digest: createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    }));
}
