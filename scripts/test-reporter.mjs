// What a run of tests says besides vitest's own report: the versions that were used, and which tests were left out
// because a part is missing on this machine. With CI set, a missing part fails the run: nobody would read that line.
import { readFileSync, rmSync } from 'node:fs';

export default class TestReporter {
  onTestRunEnd(modules) {
    const file = process.env.UNWRITE_TEST_NOTES;
    const notes = readNotes(file);
    rmSync(file, { force: true });
    const versions = new Set(notes.flatMap(({ version }) => version ?? []));
    const node = [`Node ${process.versions.node}`, `SQLite ${process.versions.sqlite}`];
    console.log(`Tested with ${[...node, ...[...versions].sort()].join(', ')}.`);
    const skipped = new Map(modules.map((module) => [module.moduleId, countSkipped(module)]));
    const left = Map.groupBy(
      notes.filter(({ part }) => part !== undefined),
      ({ part }) => part,
    );
    for (const [part, missing] of left) {
      const files = new Set(missing.map((note) => note.file));
      const tests = [...files].reduce((sum, name) => sum + (skipped.get(name) ?? 0), 0);
      if (tests === 0) continue;
      console.log(
        `Left out: ${tests} tests, because there is no ${part}${reasonOf(missing)}. To run them, ${missing[0].remedy}.`,
      );
      if (!process.env.CI) continue;
      console.log(`CI is set, so a missing ${part} is a failure.`);
      process.exitCode = 1;
    }
  }
}

function readNotes(file) {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}

/** Not every file that lacks it knows why. */
function reasonOf(missing) {
  const known = missing.find(({ reason }) => reason !== undefined);
  return known === undefined ? '' : `: ${known.reason}`;
}

function countSkipped(module) {
  return [...module.children.allTests('skipped')].length;
}
