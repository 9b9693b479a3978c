// `unwrite backup`: create, verify, restore.
import { once } from 'node:events';
import { accessSync, constants, createReadStream, existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../../config/config.ts';
import { SQLITE } from '../../config/store-kind.ts';
import {
  BackupDamaged,
  type BackupHeader,
  type BackupManifest,
} from '../../store/backup/backup-format.ts';
import type { BackupOutput } from '../../store/backup/write-backup.ts';
import { CommandFailure, usageFailure } from '../shared/failure.ts';
import { explainStore } from '../shared/installation.ts';
import { actorOf, settingsOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { counted, printJson, printLines } from '../shared/output.ts';
import { createProgressBar } from '../store/progress-bar.ts';

const STANDARD = '-';

export function addBackupCommands(program: Command): void {
  const backup = program
    .command('backup')
    .description('Backups of the store: create, verify, restore into an empty place');
  addCreate(backup);
  addVerify(backup);
  addRestore(backup);
}

interface Options {
  readonly to: string;
  readonly json?: boolean;
}

function addCreate(backup: Command): void {
  const create = backup
    .command('create')
    .description('Write a backup of the store, also beside a running server')
    .requiredOption('--to <folder>', 'Folder to write it to, or - for standard output');
  withJson(withSettings(create)).action(async ({ to, json }: Options) => {
    const { config } = settingsOf(create);
    if (to === STANDARD && json) throw usageFailure('--json is not possible with --to -');
    if (to === STANDARD && process.stdout.isTTY) {
      throw usageFailure(
        'a backup is not written to a terminal: pipe it, as in "unwrite backup create --to - | age -r … > file"',
      );
    }
    await requireStore(config);
    const made = await explainStore(config, () => createTo(to, config));
    if (made === undefined) return;
    if (json) printJson(made);
    else printLines(`Backup made: ${made.file} (${counted(made.rows, 'row')}).`);
  });
}

interface MadeFile {
  readonly file: string;
  readonly store: string;
  readonly time: string;
  readonly rows: number;
}

async function createTo(to: string, config: Config): Promise<MadeFile | undefined> {
  const { folderProblem, withSnapshot, writeBackupFile, writeSnapshot } = await import(
    '../../app/backup/make-backup.ts'
  );
  const { storeOf } = await import('../../app/backup/backed-store.ts');
  const bar = createProgressBar();
  const folder = resolve(to);
  try {
    return await withSnapshot(await storeOf(config), async (snapshot) => {
      const all = process.stderr.isTTY ? await snapshot.countRows() : 0;
      const report = (table: string, done: number) => bar.show(`writing ${table}`, done, all);
      const now = Date.now();
      if (to === STANDARD) {
        await intoPipe((output) => writeSnapshot(snapshot, output, now, report));
        return undefined;
      }
      const made = await writeBackupFile(folder, snapshot, now, report);
      const { name, storeId, time, manifest } = made;
      return {
        file: join(folder, name),
        store: storeId,
        time: new Date(time).toISOString(),
        rows: manifest.rows,
      };
    });
  } catch (error) {
    throw (to === STANDARD ? undefined : folderProblem(folder, error)) ?? error;
  } finally {
    bar.end();
  }
}

/** A reader that ends early, such as age with a wrong argument, must not look like success. */
async function intoPipe(work: (output: BackupOutput) => Promise<unknown>): Promise<void> {
  const failed = ({ code }: NodeJS.ErrnoException) => {
    const why =
      code === 'EPIPE'
        ? 'the reader of the backup has closed the pipe'
        : `standard output cannot be written (${code})`;
    process.stderr.write(`unwrite: ${why}: what was written is not a whole backup\n`);
    process.exit(1);
  };
  process.stdout.prependListener('error', failed);
  await work({
    async write(text) {
      if (!process.stdout.write(text)) await once(process.stdout, 'drain');
    },
  });
  process.stdout.off('error', failed);
}

async function requireStore({ store, dataDir }: Config): Promise<void> {
  if (store !== SQLITE) return;
  const { databasePathIn, refuseRestoring } = await import('../../store/sqlite/open-store.ts');
  refuseRestoring(dataDir);
  if (existsSync(databasePathIn(dataDir))) return;
  throw new CommandFailure(`there is no store in ${dataDir}; check --data-dir (UNWRITE_DATA_DIR)`);
}

function addVerify(backup: Command): void {
  const verify = backup
    .command('verify <file>')
    .description('Read a backup to its end and compare its digests; - reads standard input');
  withJson(verify).action(async (file: string, { json }: { json?: boolean }) => {
    const { readBackup } = await import('../../store/backup/read-backup.ts');
    const found = await explainBackup(file, async () => {
      let header: BackupHeader | undefined;
      let manifest: BackupManifest | undefined;
      for await (const part of readBackup(contentOf(file))) {
        if ('header' in part) ({ header } = part);
        else if ('manifest' in part) ({ manifest } = part);
      }
      if (header === undefined || manifest === undefined) throw new BackupDamaged('it is empty');
      return { header, manifest };
    });
    const shape = shapeOf(found);
    if (json) printJson(shape);
    else {
      printLines(
        `The backup is whole: ${counted(shape.rows, 'row')} of the store ${shape.store} on ${shape.kind}, as of ${shape.time}.`,
        `Made by version ${shape.version}. To be restored it needs the master key ${shape.master_keys.join(', ')}.`,
      );
    }
  });
}

function shapeOf({ header, manifest }: { header: BackupHeader; manifest: BackupManifest }) {
  return {
    kind: header.kind,
    store: header.storeId,
    time: new Date(header.time).toISOString(),
    version: header.version,
    master_keys: header.masterKeyIds,
    rows: manifest.rows,
    tables: Object.fromEntries(
      Object.entries(manifest.tables).map(([name, { rows }]) => [name, rows]),
    ),
  };
}

function addRestore(backup: Command): void {
  const restore = backup
    .command('restore <file>')
    .description(
      'Restore a backup into an empty data folder or schema; - reads standard input. Nothing starts there before "unwrite restored confirm"',
    );
  withActor(withJson(withSettings(restore))).action(
    async (file: string, { json }: { json?: boolean }) => {
      const { config } = settingsOf(restore);
      const { restoreBackup } = await import('../../app/backup/restore-backup.ts');
      const bar = createProgressBar();
      const report = (table: string, done: number) =>
        bar.show(`restoring ${table}`, done, undefined);
      const restored = await explainBackup(file, () =>
        explainStore(config, () =>
          restoreBackup(config, contentOf(file), actorOf(restore), report),
        ),
      ).finally(() => bar.end());
      const shape = shapeOf(restored);
      if (json) {
        printJson(shape);
        return;
      }
      printLines(
        `Restored: ${counted(shape.rows, 'row')} of the store ${shape.store}, as of ${shape.time}.`,
        'What happened since then is not in it: requests that were cancelled since are pending again, so nothing starts yet.',
        'Start the server, then: unwrite restored review, and unwrite restored confirm',
      );
    },
  );
}

function contentOf(file: string): AsyncIterable<Uint8Array | string> {
  if (file === STANDARD) return process.stdin;
  const path = resolve(file);
  let isThere: boolean | undefined;
  try {
    isThere = statSync(path, { throwIfNoEntry: false })?.isFile();
    if (isThere) accessSync(path, constants.R_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandFailure(
      `${path} cannot be read by this user (${code}); let it read the file, or send it through a pipe, with - as the file`,
    );
  }
  if (!isThere) {
    throw new CommandFailure(
      `there is no file ${path}; name a backup, or - to read standard input`,
    );
  }
  return createReadStream(path, { highWaterMark: 1024 * 1024 });
}

async function explainBackup<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BackupDamaged)) throw error;
    const name = file === STANDARD ? 'standard input' : file;
    throw new CommandFailure(`${name} is not a whole backup: ${error.message}`);
  }
}
