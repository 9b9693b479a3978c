// One line a person, in the order of the file, without the person: their line, the id and how it ended.
import { closeSync, createWriteStream, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { fileFailure, usageFailure, writeFailure } from '../failure.ts';
import type { Journal } from './journal.ts';
import type { OutcomeLine } from './journal-lines.ts';

const COLUMNS = [
  'line',
  'subject_request_id',
  'outcome',
  'expected_completion_time',
  'code',
  'http_status',
];

const draftOf = (path: string) => `${path}.new`;

/** Asked before anything is sent: that there is no such folder should not come out at the end. */
export function requireWritable(path: string, option: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw usageFailure(`${path} is a folder; name a file with ${option}`);
  }
  try {
    closeSync(openSync(draftOf(path), 'a', 0o600));
    rmSync(draftOf(path));
  } catch (error) {
    throw fileFailure(path, error, 'be written');
  }
}

export async function writeResults(path: string, journal: Journal): Promise<void> {
  const draft = draftOf(path);
  try {
    await pipeline(rowsOf(journal), createWriteStream(draft, { mode: 0o600 }));
    // A reader sees the old file or the whole new one.
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw writeFailure(path, error);
  }
}

async function* rowsOf(journal: Journal): AsyncGenerator<string> {
  yield `${COLUMNS.join()}\n`;
  for await (const line of journal.outcomes()) yield `${rowOf(line)}\n`;
}

/** No cell has a comma or a quote in it. */
function rowOf(line: OutcomeLine & { readonly id: string }): string {
  const time = 'expected_completion_time' in line ? line.expected_completion_time : '';
  const code = 'code' in line ? line.code : '';
  const status = 'status' in line ? (line.status ?? '') : '';
  const id = line.outcome === 'invalid' ? '' : line.id;
  return [line.line, id, line.outcome, time, code, status].join();
}
