// Vitest's report of a whole run, short enough to read: a line when a folder is done, a line when a test
// fails, and at the end, by vitest itself, each failure in full and one summary.
import { dirname, relative } from 'node:path';
import { DefaultReporter } from 'vitest/node';
import { ROOT } from './run.mjs';

export default class FolderReporter extends DefaultReporter {
  #filesLeft = new Map();
  #testsDone = new Map();

  constructor() {
    super({ summary: false });
  }

  onTestRunStart(specifications) {
    super.onTestRunStart(specifications);
    for (const { moduleId } of specifications) add(this.#filesLeft, folderOf(moduleId), 1);
  }

  onTestCaseResult(test) {
    super.onTestCaseResult(test);
    if (test.result().state === 'failed')
      this.log(`FAILED ${pathOf(test.module.moduleId)} > ${test.fullName}`);
  }

  /** Instead of a line for each file, and one for each slow test. */
  printTestModule(module) {
    const folder = folderOf(module.moduleId);
    const tests = add(this.#testsDone, folder, [...module.children.allTests()].length);
    if (add(this.#filesLeft, folder, -1) === 0) this.log(`  ${folder}: ${tests} tests`);
  }
}

const pathOf = (file) => relative(ROOT, file).replaceAll('\\', '/');

/** Not deeper than the folders of the server's tests. */
const folderOf = (file) => dirname(pathOf(file)).split('/').slice(0, 4).join('/');

function add(counts, key, amount) {
  const sum = (counts.get(key) ?? 0) + amount;
  counts.set(key, sum);
  return sum;
}
