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
import { forEachId, type IdFlags, readIds, withIds } from './ids.ts';

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
    await forEachId(readIds(given, flags, io), flags.concurrency, async (id) => {
      const shape = await client.cancel(id).then(
        ({ outcome }) => ({ subject_request_id: id, outcome }),
        (error: unknown) => {
          if (!(error instanceof ErasureError)) throw error;
          end(EXIT.failed);
          return { subject_request_id: id, error: error.code, message: error.message };
        },
      );
      const words = 'error' in shape ? `${shape.error}  ${shape.message}` : 'cancelled';
      io.stdout.write(flags.json ? `${JSON.stringify(shape)}\n` : `${id}  ${words}\n`);
    });
  });
}
