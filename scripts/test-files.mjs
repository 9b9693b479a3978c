// `*.long.test.ts` runs in `npm run test:long` only; every other `*.test.*` in `npm test`.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.mjs';

const LONG = '.long.test.ts';
/** For vitest: leaves the long ones out. */
export const WITHOUT_LONG = ['--exclude', `**/*${LONG}`];
/** For vitest: a report that is short enough to read; what tests print is shown where they fail. */
export const WHOLE_RUN = ['--reporter=./scripts/folder-reporter.mjs', '--silent=passed-only'];

/** Those whose paths contain one of the texts, as vitest takes what it is given; all where none is given. */
export function longTestFiles(texts) {
  return testFiles().filter((file) => file.endsWith(LONG) && matches(file, texts));
}

/** Whether the arguments match long tests only: then those are run. */
export function meansLongTests(texts) {
  const files = testFiles();
  return texts.some((text) => {
    const meant = files.filter((file) => matches(file, [text]));
    return meant.length > 0 && meant.every((file) => file.endsWith(LONG));
  });
}

function matches(file, texts) {
  return texts.length === 0 || texts.some((text) => file.includes(text.replace(/^\.\//, '')));
}

function testFiles() {
  return ['packages/protocol/test', 'packages/server/test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true })
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
      .filter((file) => /\.test\.ts$/.test(file)),
  );
}
