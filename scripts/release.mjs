// node scripts/release.mjs --dry-run: makes the files of a release in release/, and says what would be published.
// node scripts/release.mjs --sign KEY: makes them, and publishes. Needs a clean working tree whose CHANGELOG.md has this
// version, and git, npm and gh that may publish: the workflow "release" has all of it.
// node scripts/release.mjs --set-version 0.2.0: gives all packages this version.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { NOTES, STEPS } from './release/artefacts.mjs';
import { setVersion, versionOf, versionProblems } from './release/version.mjs';
import { describeFlags, fail, install, ROOT, readFlags } from './run.mjs';

const FLAGS = {
  'dry-run': { type: 'boolean', default: false, help: 'publish nothing; say what would be' },
  to: { type: 'string', default: 'release', help: 'F: the folder of the files, made anew' },
  sign: {
    type: 'string',
    help: 'K: the key of cosign, a file or env://NAME; its password is in COSIGN_PASSWORD',
  },
  'set-version': { type: 'string', help: 'V: give all packages this version, and do nothing else' },
  help: { type: 'boolean', default: false, help: 'print this' },
};
const {
  to,
  help,
  sign,
  'dry-run': isDryRun,
  'set-version': wanted,
} = readFlags(process.argv.slice(2), FLAGS);

if (help) console.log(describeFlags(FLAGS).join('\n'));
else if (wanted !== undefined) giveVersion(wanted);
else release();

function giveVersion(version) {
  try {
    setVersion(ROOT, version);
  } catch ({ message }) {
    fail(message);
  }
  console.log(
    `All packages are ${version}. Give "Unreleased" in CHANGELOG.md this heading, and commit.`,
  );
}

function release() {
  install();
  const version = versionOf(ROOT);
  const tag = `v${version}`;
  const problems = [...versionProblems(ROOT), ...(isDryRun ? [] : stateProblems(tag, version))];
  if (problems.length > 0) fail(`${version} cannot be released: ${problems.join('; ')}`, 1);
  const folder = resolve(ROOT, to);
  // A key may be one of a variable or of a key service: env://COSIGN_KEY.
  const key = sign?.includes('://') ? sign : sign && resolve(sign);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const made = STEPS.flatMap((step) => step({ folder, version, isDryRun, key }));
  console.log(`Unwrite ${version}, in ${relative(process.cwd(), folder) || '.'}:`);
  for (const { file } of made) console.log(`  ${sizeOf(join(folder, file))}  ${file}`);
  const commands = [
    ['git', 'tag', '--annotate', tag, '--file', NOTES],
    ['git', 'push', 'origin', tag],
    ['gh', 'release', 'create', tag, '--notes-file', NOTES, ...made.map(({ file }) => file)],
    ...made.flatMap(({ publish }) => (publish === undefined ? [] : [publish])),
  ];
  if (isDryRun) say(commands);
  else for (const command of commands) run(command, folder);
}

function say(commands) {
  console.log('\nNothing is published. Without --dry-run, this would be run there:');
  for (const command of commands) console.log(`  ${command.join(' ')}`);
}

/** Sentences about why this state of the repository is not to be published. */
function stateProblems(tag, version) {
  const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  const stores = `packages/server/test/upgrade/stores/${version}`;
  return [
    ...(existsSync(join(ROOT, stores))
      ? []
      : [`there is no ${stores}: npm run test:long -- upgrade --keep, and commit it`]),
    ...(git('status', '--porcelain') === '' ? [] : ['the working tree has changes: commit them']),
    ...(git('tag', '--list', tag) === '' ? [] : [`the tag ${tag} exists: --set-version first`]),
  ];
}

function run([command, ...args], folder) {
  console.log(`$ ${[command, ...args].join(' ')}`);
  const { status } = spawnSync(command, args, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) fail('stopped here; what was published before stays published.', 1);
}

function sizeOf(file) {
  return `${(statSync(file).size / 1000).toFixed(0).padStart(6)} kB`;
}
