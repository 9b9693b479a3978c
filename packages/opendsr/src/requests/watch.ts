import {
  type Answer,
  type ErasureClient,
  ErasureError,
  NotFoundError,
  type OpenDsrStatus,
} from '@unwrite/client';
import { type Command, InvalidArgumentError } from 'commander';
import type { CommandContext } from '../command-context.ts';
import {
  type ConnectionFlags,
  connect,
  connectionOf,
  withConnection,
} from '../connection/connect.ts';
import { EXIT } from '../failure.ts';
import type { Io } from '../io.ts';
import { createProgress } from '../submit/progress.ts';
import { forEachId, type IdFlags, readIds, withIds } from './ids.ts';

interface Flags extends IdFlags, ConnectionFlags {
  readonly interval: number;
  readonly timeout?: number;
}

const AFTER = `
Prints each change. Exit codes: 0 all are completed, 1 some are cancelled or unknown, 3 stopped before all were final.`;

export function addWatchCommand(program: Command, { io, end }: CommandContext): void {
  const watch = program
    .command('watch')
    .description('Ask again and again until all requests are completed or cancelled')
    .option('--interval <seconds>', 'Between two rounds', readSeconds, 60)
    .option('--timeout <seconds>', 'Give up after this time', readSeconds)
    .addHelpText('after', AFTER);
  withConnection(withIds(watch)).action(async (given: string[], flags: Flags) => {
    const client = connect(connectionOf(flags, io), io);
    const stop = new AbortController();
    const stopListening = io.onInterrupt(() => stop.abort());
    try {
      end(await watchAll(client, given, flags, io, stop.signal));
    } finally {
      stopListening();
    }
  });
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (seconds > 0) return seconds;
  throw new InvalidArgumentError('It must be a number of seconds.');
}

async function watchAll(
  client: ErasureClient,
  given: readonly string[],
  flags: Flags,
  io: Io,
  signal: AbortSignal,
) {
  /** Those that are not final, with what was seen last. */
  const open = new Map<string, string>();
  for await (const id of readIds(given, flags, io)) open.set(id, '');
  const total = open.size;
  const progress = createProgress(io, total, 'Final', flags.json);
  const until = io.now() + (flags.timeout ?? Number.POSITIVE_INFINITY) * 1000;
  let others = 0;

  function see(id: string, result: Answer<OpenDsrStatus> | ErasureError): void {
    const status = statusOf(result);
    if (status === undefined || open.get(id) === status) return;
    open.set(id, status);
    const shape = { subject_request_id: id, request_status: status };
    if (flags.json) io.stdout.write(`${JSON.stringify(shape)}\n`);
    else if (io.stderr.columns === undefined) io.stdout.write(`${id}  ${status}\n`);
    if (!['completed', 'cancelled', 'not_found'].includes(status)) return;
    open.delete(id);
    if (status !== 'completed') others++;
    progress.show(total - open.size, others);
  }

  const ask = (id: string) => client.status(id, { signal });
  const round = () => forEachId(asGenerator([...open.keys()]), flags.concurrency, ask, see);
  while (open.size > 0 && !signal.aborted) {
    const stopped = await round().catch((error: unknown) => {
      if (!signal.aborted) throw error;
      return undefined;
    });
    // While the processor is away, the next round asks again.
    if (stopped !== undefined && !stopped.error.isTemporary) throw stopped.error;
    progress.show(total - open.size, others);
    if (open.size === 0 || io.now() + flags.interval * 1000 > until) break;
    await io.wait(flags.interval * 1000, signal).catch(() => undefined);
  }
  progress.end();
  if (open.size > 0) {
    io.stderr.write(`opendsr: ${open.size} of ${total} are not final yet\n`);
    return EXIT.stopped;
  }
  return others > 0 ? EXIT.failed : EXIT.done;
}

async function* asGenerator(ids: readonly string[]): AsyncGenerator<string> {
  yield* ids;
}

/** Undefined where it is not known: the next round asks again. */
function statusOf(result: Answer<OpenDsrStatus> | ErasureError): string | undefined {
  if (result instanceof NotFoundError) return 'not_found';
  return result instanceof ErasureError ? undefined : result.body.request_status;
}
