import { open, rm } from 'node:fs/promises';
import type { Command } from 'commander';
import { findController } from '../../operator/controller/find-controller.ts';
import { CommandFailure } from '../shared/failure.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { counted, printJson, printLines } from '../shared/output.ts';
import { readSince, readUntil } from '../shared/read-time.ts';

interface Options {
  readonly controller: string;
  readonly from?: number;
  readonly to?: number;
  readonly full?: boolean;
  readonly output: string;
  readonly json?: boolean;
}

export function addExportCommand(program: Command): void {
  const command = program
    .command('export')
    .description('Write the receipts and lists of a controller into one archive, to hand out')
    .requiredOption('--controller <controller_id>', 'Whose requests')
    .option('--from <time>', 'Received at or after this day or time, such as 2026-11-01', readSince)
    .option('--to <time>', 'Received up to this day or time', readUntil)
    .option('--full', 'Also full receipts and audit rows: with tables, targets and names of staff')
    .requiredOption('--output <file.zip>', 'The file to make; it must not exist');
  withActor(withJson(withSettings(command))).action((options: Options) =>
    withInstallation(command, async ({ store, vaultKeys }, config) => {
      const { controllerId } = await findController(store.tenants, options.controller);
      const { openProof } = await import('../../app/proof/proof.ts');
      const { exportArchive } = await import('../../app/operator/export-archive.ts');
      const { createCommandWatch } = await import('../../app/restored-store.ts');
      const proof = await openProof(store, vaultKeys.ring, config.domain, {
        writeDownHead: (await createCommandWatch(store, vaultKeys.ring, config)).look,
        witnessFile: config.auditWitnessFile,
        log: () => undefined,
      });
      const query = {
        controllerId,
        from: options.from,
        until: options.to === undefined ? undefined : options.to + 1,
        full: options.full ?? false,
      };
      const by = { actor: actorOf(command), now: store.clock() };
      const made = await writtenTo(options.output, (write) =>
        exportArchive({ store, proof, config }, query, write, by),
      );
      if (options.json) printJson({ file: options.output, ...made });
      else printMade(options.output, made);
    }),
  );
}

function printMade(
  file: string,
  { requests, receipts, refused }: { requests: number; receipts: number; refused: number },
): void {
  printLines(
    `Written to ${file}: ${counted(requests, 'request')}, ${counted(receipts, 'receipt')}.`,
    ...(refused > 0
      ? [
          `${counted(refused, 'request')} without a receipt, because it is refused: requests.csv says why.`,
        ]
      : []),
    'To verify it, unpack it into a folder, then: unwrite receipt verify <folder> --key <folder>/keys.json',
  );
}

/** A file that is not complete is removed: nothing else would tell. */
async function writtenTo<T>(
  path: string,
  make: (write: (bytes: Uint8Array) => Promise<void>) => Promise<T>,
): Promise<T> {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailure(
      error.code === 'EEXIST'
        ? `${path} exists; give the name of a file that does not`
        : `${path} cannot be written (${error.code}); check the folder and its permissions`,
    );
  });
  try {
    const made = await make(async (bytes) => {
      await file.writeFile(bytes);
    });
    await file.sync();
    return made;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
