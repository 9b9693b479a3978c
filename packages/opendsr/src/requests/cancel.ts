import { ErasureError } from '@unwrite/client';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import {
  type ConnectionFlags,
  connect,
  connectionOf,
  withConnection,
} from '../connection/connect.ts';
import { EXIT, usageFailure } from '../failure.ts';
import { forEachId, type IdFlags, readIds, requireAll, withIds } from './ids.ts';

interface Flags extends IdFlags, ConnectionFlags {
  readonly yes?: boolean;
}

export function addCancelCommand(program: Command, { io, end }: CommandContext): void {
  const cancel = program
    .command('cancel')
    .description('Cancel requests that are still pending')
    .option('--yes', 'Needed with --results: all of them are cancelled');
  withConnection(withIds(cancel)).action(async (given: string[], flags: Flags) => {
    if (flags.results !== undefined && !flags.yes) {
      throw usageFailure('this cancels every request of the file that is pending; add --yes');
    }
    const client = connect(connectionOf(flags, io), io);
    const ids = readIds(given, flags, io);
    const cancelOne = (id: string) => client.cancel(id);
    const stopped = await forEachId(ids, flags.concurrency, cancelOne, (id, result) => {
      const isError = result instanceof ErasureError;
      if (isError) end(EXIT.failed);
      const shape = isError
        ? { subject_request_id: id, error: result.code, message: result.message }
        : { subject_request_id: id, outcome: result.outcome };
      const words = isError ? `${result.code}  ${result.message}` : 'cancelled';
      io.stdout.write(flags.json ? `${JSON.stringify(shape)}\n` : `${id}  ${words}\n`);
    });
    requireAll(stopped);
  });
}
