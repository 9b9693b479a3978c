// Plants one fault at a time in a copy of the source, and runs the tests that are said to catch it: a fault that they
// pass with is a gap in the tests. The faults are in scripts/faults/, one file a part of the product.
// npm run test:long -- faults --only store
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { commandFile, ROOT, runNodeBeside } from './run.mjs';

const FAULTS = join(ROOT, 'scripts', 'faults');
const TIMEOUT_MS = 300_000;

/**
 * Of all parts, or of these. A fault: `what` goes wrong, in which `file` the text `find`, which is there once, is
 * replaced by `replace`, and the test files that catch it (`caughtBy`), those of `npm test` before long ones.
 */
export async function readFaults(parts) {
  const names = readdirSync(FAULTS).map((file) => file.replace(/\.mjs$/, ''));
  const unknown = parts.filter((part) => !names.includes(part));
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')} is none of ${names.join(', ')}`);
  const wanted = parts.length > 0 ? parts : names;
  const lists = wanted.map(async (part) => {
    const { FAULTS: faults } = await import(`./faults/${part}.mjs`);
    return faults.map((fault) => ({ ...fault, part }));
  });
  return (await Promise.all(lists)).flat();
}

/** Whether only long tests catch it. */
export function isLong({ caughtBy }) {
  return caughtBy.every((file) => file.endsWith('.long.test.ts'));
}

/** Answers those that were not caught. */
export async function plantFaults(faults) {
  const copy = copySource();
  const missed = [];
  try {
    for (const [index, fault] of faults.entries()) {
      const started = performance.now();
      const { problem, by } = await plant(copy, fault);
      const seconds = ((performance.now() - started) / 1000).toFixed(0).padStart(4);
      const number = `${index + 1}`.padStart(String(faults.length).length);
      console.log(
        `${number}/${faults.length} ${seconds} s  ${problem ?? `caught by ${by}`}: ${fault.what}`,
      );
      if (problem !== undefined) missed.push({ ...fault, problem });
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  return missed;
}

async function plant(copy, { file, find, replace, caughtBy }) {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  const places = text.split(find).length - 1;
  if (places !== 1) return { problem: `NOT PLANTED, its text is in ${file} ${places} times` };
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  try {
    const report = join(copy, 'report.json');
    rmSync(report, { force: true });
    const reporter = ['--reporter=json', `--outputFile=${report}`];
    const args = [commandFile('vitest'), 'run', '--bail=1', ...reporter, ...caughtBy];
    const { passed, output } = await runNodeBeside(args, {
      cwd: copy,
      timeout: TIMEOUT_MS,
      // As npm test does: a fault that only another database shows is not caught by it.
      env: isLong({ caughtBy }) ? {} : { UNWRITE_TEST_MATRIX: 'one' },
    });
    if (passed) return { problem: 'NOT CAUGHT' };
    if (!existsSync(report)) return { problem: `NO END in ${TIMEOUT_MS / 1000} s` };
    // Without a test that failed, something else kept them from running.
    const { numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
    if (numFailedTests === 0) return { problem: `NOT RUN, ${output.slice(-500)}` };
    return { by: relative(copy, testResults.find(({ status }) => status === 'failed').name) };
  } finally {
    writeFileSync(path, text);
  }
}

/** With links to what npm installed, of which the workspaces' own packages lead back into the copy. */
function copySource() {
  const copy = mkdtempSync(join(tmpdir(), 'unwrite-faults-'));
  const isOwn = (path) => !/\/(node_modules|\.git|\.cache|data|\.demo)$/.test(path);
  for (const name of readdirSync(ROOT).filter((entry) => isOwn(`/${entry}`)))
    cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter: isOwn });
  for (const folder of [
    '',
    ...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}`),
  ])
    linkPackages(join(ROOT, folder, 'node_modules'), join(copy, folder, 'node_modules'));
  return copy;
}

function linkPackages(from, to) {
  if (!existsSync(from)) return;
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const path = join(from, name);
    if (name === '@unwrite') linkPackages(path, join(to, name));
    // A link of npm's to a package of ours is relative: in the copy it leads to the copy's.
    else if (lstatSync(path).isSymbolicLink()) symlinkSync(readlinkSync(path), join(to, name));
    else symlinkSync(path, join(to, name));
  }
}
