import { ErasureError } from '@unwrite/client';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import {
  type ConnectionFlags,
  connect,
  connectionOf,
  withConnection,
} from '../connection/connect.ts';
import { EXIT } from '../failure.ts';
import { forEachId, type IdFlags, readIds, withIds } from './ids.ts';

export function addStatusCommand(program: Command, { io, end }: CommandContext): void {
  const status = program.command('status').description('Ask how requests stand');
  withConnection(withIds(status)).action(
    async (given: string[], flags: IdFlags & ConnectionFlags) => {
      const client = connect(connectionOf(flags, io), io);
      const counts = new Map<string, number>();
      await forEachId(readIds(given, flags, io), flags.concurrency, async (id) => {
        const shape = await client.status(id).then(
          ({ body }) => ({
            subject_request_id: id,
            request_status: body.request_status,
            expected_completion_time: body.expected_completion_time,
          }),
          (error: unknown) => {
            if (!(error instanceof ErasureError)) throw error;
            return { subject_request_id: id, error: error.code, message: error.message };
          },
        );
        const word = 'error' in shape ? shape.error : shape.request_status;
        counts.set(word, (counts.get(word) ?? 0) + 1);
        if ('error' in shape) end(EXIT.failed);
        const detail = 'error' in shape ? shape.message : `until ${shape.expected_completion_time}`;
        io.stdout.write(
          flags.json ? `${JSON.stringify(shape)}\n` : `${id}  ${word.padEnd(11)}  ${detail}\n`,
        );
      });
      if (flags.json || flags.results === undefined) return;
      const parts = [...counts].map(([word, count]) => `${count} ${word}`);
      io.stdout.write(`${parts.join(', ')}\n`);
    },
  );
}
