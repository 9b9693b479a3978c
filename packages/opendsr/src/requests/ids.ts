// The requests that a command is about: ids that are given, or those in a results file of submit.
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { fileFailure, usageFailure } from '../failure.ts';
import type { Io } from '../io.ts';
import { readCsv, UnreadableInput } from '../people/read-csv.ts';

export interface IdFlags {
  readonly results?: string;
  readonly concurrency: number;
  readonly json?: boolean;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function withIds(command: Command): Command {
  return command
    .argument('[subject_request_id...]', 'The requests')
    .option('--results <file>', 'The requests in the results of submit')
    .addOption(
      new Option('--concurrency <number>', 'Requests at the same time')
        .default(8)
        .argParser((text) => Math.min(256, Math.max(1, Number(text) || 1))),
    )
    .option('--json', 'One line of JSON for each');
}

export async function* readIds(
  given: readonly string[],
  { results }: IdFlags,
  io: Io,
): AsyncGenerator<string> {
  if (given.length > 0 === (results !== undefined)) {
    throw usageFailure('which requests? give their ids, or --results <file>');
  }
  for (const id of given) {
    if (!UUID.test(id)) throw usageFailure('a subject_request_id must be a UUID');
    yield id;
  }
  if (results !== undefined) yield* idsIn(resolve(io.cwd, results));
}

async function* idsIn(path: string): AsyncGenerator<string> {
  let column: number | undefined;
  try {
    for await (const { cells } of readCsv(createReadStream(path, 'utf8'), ',')) {
      column ??= cells.indexOf('subject_request_id');
      const id = cells[column] ?? '';
      if (UUID.test(id)) yield id;
    }
  } catch (error) {
    if (error instanceof UnreadableInput) throw usageFailure(`${path}: ${error.message}`);
    throw fileFailure(path, error);
  }
  if (column === undefined || column < 0) {
    throw usageFailure(`${path} is not the results of submit: it has no column subject_request_id`);
  }
}

/** Runs the work for each, some at a time. */
export async function forEachId(
  ids: AsyncGenerator<string>,
  concurrency: number,
  work: (id: string) => Promise<void>,
): Promise<void> {
  const one = async () => {
    for (let next = await ids.next(); !next.done; next = await ids.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: concurrency }, one));
}
