// What helpers keep for the tests of a file, and close when its tests and their own hooks have ended. Files
// share a worker and its modules: an `afterAll` at the top of a helper would be run for the first file only.
import { afterAll } from 'vitest';

const endings = new Set<() => Promise<void>>();

export function atEndOfFile(end: () => Promise<void>): void {
  endings.add(end);
}

/** For vitest's set-up file, which is run for every test file. */
export function endFiles(): void {
  afterAll(async () => {
    for (const end of endings) await end();
    endings.clear();
  });
}
