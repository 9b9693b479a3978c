// `*.long.test.ts` runs in `npm run test:long` only; every other `*.test.*` in `npm test`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.mjs';

const LONG = '.long.test.ts';
/** For vitest: leaves the long ones out. */
export const WITHOUT_LONG = ['--exclude', `**/*${LONG}`];
/** For vitest: a report that is short enough to read; what tests print is shown where they fail. */
export const WHOLE_RUN = [
  '--reporter=./scripts/folder-reporter.mjs',
  '--reporter=./scripts/test-reporter.mjs',
  '--silent=passed-only',
];

/** They install packages from the registry: a suite of their own. */
const isPacked = (file) => file.endsWith('packed.long.test.ts');
/** They need programs that build and check containers: another one. */
const isDeployed = (file) => file.endsWith(LONG) && file.includes('/test/deploy/');

/** They need a server that is downloaded: a third one. */
const isServed = (file) => file.endsWith('served.long.test.ts');

export const longTestFiles = () =>
  testFiles().filter(
    (file) => file.endsWith(LONG) && !isPacked(file) && !isDeployed(file) && !isServed(file),
  );

export const servedTestFiles = () => testFiles().filter(isServed);

export const packedTestFiles = () => testFiles().filter(isPacked);

export const deployTestFiles = () => testFiles().filter(isDeployed);

/** Whoever asks test/helpers/databases/matrix.ts on which database a test runs calls one of these. */
const IN_MATRIX = /\b(inMatrix|storesInMatrix|describeOnEach|onEverySqlDatabase)\(/;

/** Those of npm test that it runs on one database of several. */
export const matrixTestFiles = () =>
  testFiles().filter(
    (file) => !file.endsWith(LONG) && IN_MATRIX.test(readFileSync(join(ROOT, file), 'utf8')),
  );

/** Whether the arguments match long tests only: then those are run. */
export function meansLongTests(texts) {
  const files = testFiles();
  return texts.some((text) => {
    const meant = files.filter((file) => file.includes(text.replace(/^\.\//, '')));
    return meant.length > 0 && meant.every((file) => file.endsWith(LONG));
  });
}

function testFiles() {
  const packages = readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/test`);
  return packages
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true })
        .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
        .filter((file) => /\.test\.ts$/.test(file)),
    );
}
