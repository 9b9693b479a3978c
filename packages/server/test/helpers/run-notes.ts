// What processes of a run note for its end: versions that were used, and parts that this machine does not have.
// scripts/test-reporter.mjs reads it.
import { appendFileSync } from 'node:fs';

export function noteVersion(version: string): void {
  note({ version });
}

export function note(line: object): void {
  const file = process.env.UNWRITE_TEST_NOTES;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`);
}
