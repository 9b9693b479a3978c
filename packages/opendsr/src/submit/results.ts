// One line a person, in the order of the file, without the person: their line, the id and how it ended.

import { once } from 'node:events';
import { createWriteStream, renameSync } from 'node:fs';
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

export async function writeResults(path: string, journal: Journal): Promise<void> {
  const draft = `${path}.new`;
  const stream = createWriteStream(draft, { mode: 0o600 });
  const write = async (line: string) => {
    if (!stream.write(`${line}\n`)) await once(stream, 'drain');
  };
  await write(COLUMNS.join());
  for await (const line of journal.outcomes()) await write(rowOf(line));
  stream.end();
  await once(stream, 'finish');
  // A reader sees the old file or the whole new one.
  renameSync(draft, path);
}

/** No cell has a comma or a quote in it. */
function rowOf(line: OutcomeLine & { readonly id: string }): string {
  const time = 'expected_completion_time' in line ? line.expected_completion_time : '';
  const code = 'code' in line ? line.code : '';
  const status = 'status' in line ? (line.status ?? '') : '';
  const id = line.outcome === 'invalid' ? '' : line.id;
  return [line.line, id, line.outcome, time, code, status].join();
}
