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
import { forEachId, type IdFlags, readIds, requireAll, withIds } from './ids.ts';

export function addStatusCommand(program: Command, { io, end }: CommandContext): void {
  const status = program.command('status').description('Ask how requests stand');
  withConnection(withIds(status)).action(
    async (given: string[], flags: IdFlags & ConnectionFlags) => {
      const client = connect(connectionOf(flags, io), io);
      const counts = new Map<string, number>();
      const ids = readIds(given, flags, io);
      const ask = (id: string) => client.status(id);
      const stopped = await forEachId(ids, flags.concurrency, ask, (id, result) => {
        const isError = result instanceof ErasureError;
        if (isError) end(EXIT.failed);
        const shape = isError
          ? { subject_request_id: id, error: result.code, message: result.message }
          : {
              subject_request_id: id,
              request_status: result.body.request_status,
              expected_completion_time: result.body.expected_completion_time,
            };
        const word = isError ? result.code : result.body.request_status;
        counts.set(word, (counts.get(word) ?? 0) + 1);
        const detail = isError ? result.message : `until ${result.body.expected_completion_time}`;
        io.stdout.write(
          flags.json ? `${JSON.stringify(shape)}\n` : `${id}  ${word.padEnd(11)}  ${detail}\n`,
        );
      });
      if (!flags.json && flags.results !== undefined) {
        const parts = [...counts].map(([word, count]) => `${count} ${word}`);
        io.stdout.write(`${parts.join(', ')}\n`);
      }
      requireAll(stopped);
    },
  );
}
