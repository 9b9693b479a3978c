// The requests that a command is about: ids that are given, or those in a results file of submit.
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { ErasureError } from '@unwrite/client';
import { type Command, Option } from 'commander';
import { CommandFailure, EXIT, fileFailure, usageFailure } from '../failure.ts';
import type { Io } from '../io.ts';
import { readCsv, UnreadableInput } from '../people/read-csv.ts';
import { createStopRule } from '../stop-rule.ts';

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

export interface Stopped {
  readonly error: ErasureError;
  /** Some were not asked about. */
  readonly isBeforeEnd: boolean;
}

/** Calls the processor for each, some at a time, until it makes no sense to go on. */
export async function forEachId<T extends object>(
  ids: AsyncGenerator<string>,
  concurrency: number,
  call: (id: string) => Promise<T>,
  onResult: (id: string, result: T | ErasureError) => void,
): Promise<Stopped | undefined> {
  const rule = createStopRule(concurrency);
  let stopped: Stopped | undefined;
  const one = async () => {
    try {
      for (let next = await ids.next(); !next.done; next = await ids.next()) {
        const result = await call(next.value).catch(onlyErasureError);
        onResult(next.value, result);
        if (!(result instanceof ErasureError)) rule.succeeded();
        else if (rule.failed(result)) {
          const { done = false } = await ids.next();
          stopped ??= { error: result, isBeforeEnd: !done };
          return;
        }
      }
    } finally {
      // The others begin no more.
      await ids.return(undefined);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, one));
  return stopped;
}

function onlyErasureError(error: unknown): ErasureError {
  if (error instanceof ErasureError) return error;
  throw error;
}

export function requireAll(stopped: Stopped | undefined): void {
  if (stopped?.isBeforeEnd) {
    throw new CommandFailure(`stopped before the end: ${stopped.error.message}`, EXIT.stopped);
  }
}
