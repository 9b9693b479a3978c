// `unwrite store copy`: from SQLite to PostgreSQL.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../../config/config.ts';
import { BadValue } from '../../config/setting.ts';
import { SETTINGS } from '../../config/settings.ts';
import { hasPassword, SQLITE, withoutPassword } from '../../config/store-kind.ts';
import { StoreUnavailable } from '../../domain/store/store-unavailable.ts';
import type { CopyProgress, CopyResult } from '../../store/copy/copy-store.ts';
import type { CopySource } from '../../store/copy/open-source.ts';
import { CommandFailure, usageFailure } from '../shared/failure.ts';
import { explainStore } from '../shared/installation.ts';
import { settingsOf, withJson, withSettings } from '../shared/options.ts';
import { addStoreCompact } from './compact.ts';
import { reportCopy } from './print-copy.ts';
import { createProgressBar } from './progress-bar.ts';

interface Options {
  readonly from?: string;
  readonly to?: string;
  readonly toSchema?: string;
  readonly fromScratch?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** The exit code that shells use for Ctrl-C. */
const EXIT_INTERRUPTED = 130;

export function addStoreCommands(program: Command): void {
  const store = program
    .command('store')
    .description('The store: copy it to PostgreSQL, compact its file');
  addStoreCompact(store);
  const copy = store
    .command('copy')
    .description(
      'Copy a store from SQLite to PostgreSQL; run it again to continue a copy that stopped',
    )
    .option('--from <data_dir>', 'Folder of the SQLite store (default: the setting data_dir)')
    .option('--to <address>', 'postgres://… (default: the setting store, such as UNWRITE_STORE)')
    .option('--to-schema <name>', 'Schema of its tables (default: the setting store_schema)')
    .option('--from-scratch', 'Delete what an unfinished copy has written, and start over')
    .option('--quiet', 'Print nothing unless it fails');
  withJson(withSettings(copy)).action(async (options: Options) => {
    const { config } = settingsOf(copy);
    const from = sourceIn(options.from, config);
    const target = targetIn(options, config);
    const began = performance.now();
    const result = await explainStore(target, () => copyBetween(from, target, options)).catch(
      sayHowToGoOn,
    );
    const seconds = (performance.now() - began) / 1000;
    const to = withoutPassword(target.store);
    reportCopy(result, { ...options, from, to, schema: target.storeSchema, seconds });
  });
}

function sourceIn(given: string | undefined, { dataDir }: Config): string {
  if (given === undefined) return dataDir;
  if (/^postgres(ql)?:/.test(given)) {
    throw usageFailure('--from must be the folder of an SQLite store');
  }
  return resolve(given.replace(/^sqlite:/, ''));
}

/** The settings of the copy. */
function targetIn({ to, toSchema }: Options, config: Config): Config {
  const store = read('--to', SETTINGS.store, to) ?? config.store;
  if (store === SQLITE) {
    throw usageFailure(
      'the target of the copy is missing: give --to postgres://…, or set UNWRITE_STORE, which other users of this machine cannot see',
    );
  }
  const storeSchema = read('--to-schema', SETTINGS.storeSchema, toSchema) ?? config.storeSchema;
  return { ...config, store, storeSchema };
}

/** Not checked by commander, which would quote the value: an address contains a password. */
function read(
  flag: string,
  { kind }: typeof SETTINGS.store | typeof SETTINGS.storeSchema,
  given: string | undefined,
): string | undefined {
  if (given === undefined) return undefined;
  if (kind === SETTINGS.store.kind && hasPassword(given)) {
    throw usageFailure(
      `${flag} is not accepted with a password, since all users of this machine can see it; set UNWRITE_STORE, or UNWRITE_STORE_FILE to the path of a file with the address`,
    );
  }
  try {
    return kind.read(given, { environment: {}, directory: '' });
  } catch (error) {
    if (error instanceof BadValue) throw usageFailure(`${flag} ${error.message}`);
    throw error;
  }
}

async function copyBetween(
  from: string,
  target: Config,
  { fromScratch = false, json, quiet }: Options,
): Promise<CopyResult> {
  const { openSource } = await import('../../store/copy/open-source.ts');
  const { copyStore } = await import('../../store/copy/copy-store.ts');
  const { openDatabase } = await import('../../store/postgres/database.ts');
  const { databaseOptionsOf } = await import('../../app/postgres.ts');
  const { lostBeforeCopy } = await import('../../app/restored-store.ts');
  const database = openDatabase(databaseOptionsOf(target));
  const bar = json || quiet ? undefined : createProgressBar();
  const stop = stopOnSignal();
  const report = ({ step, table, done, all }: CopyProgress) => {
    stop.throwIfAsked();
    bar?.show(`${step} ${table}`, done, all);
  };
  let source: CopySource | undefined;
  try {
    source = openSource(from);
    requireNewest(from, await lostBeforeCopy(source, target, Date.now));
    return await copyStore(source, database, { fromScratch, clock: Date.now, report });
  } catch (error) {
    throw explained(error);
  } finally {
    bar?.end();
    stop.end();
    source?.close();
    await database.close();
  }
}

function requireNewest(from: string, lost: readonly string[]): void {
  if (lost.length === 0) return;
  throw new CommandFailure(
    `the store in ${from} went back in time (${lost.join('; ')}): if it was restored, requests that were cancelled since are pending again. Start a server on it, run "unwrite restored review" and "unwrite restored confirm", stop the server, and copy again`,
  );
}

/** Stops between two chunks; a second signal ends the process at once. */
function stopOnSignal() {
  let isAsked = false;
  const ask = () => {
    isAsked = true;
  };
  process.once('SIGINT', ask).once('SIGTERM', ask);
  return {
    throwIfAsked() {
      if (!isAsked) return;
      throw new CommandFailure(
        'stopped; run the same command again to continue. The target cannot be used until the copy is finished',
        EXIT_INTERRUPTED,
      );
    },
    end: () => void process.off('SIGINT', ask).off('SIGTERM', ask),
  };
}

function sayHowToGoOn(error: unknown): never {
  const { message, cause } = error as Error;
  if (!(cause instanceof StoreUnavailable)) throw error;
  throw new CommandFailure(`${message}; then run the same command again to continue`);
}

/** Errors of the copy's own statements; explainStore handles all others. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/^22/, 'the source holds a value that PostgreSQL cannot store, which Unwrite never writes'],
  [/^23/, 'the target has a conflicting row that is not from this copy'],
];

/** The server's own message may quote values: only its code is shown. */
function explained(error: unknown): unknown {
  const { code } = error as { code?: unknown };
  if (code === 'ERR_OUT_OF_RANGE') {
    return new CommandFailure(
      'the source holds a number that Unwrite never writes: look for values above 9007199254740991',
    );
  }
  const reason = REFUSALS.find(([codes]) => typeof code === 'string' && codes.test(code))?.[1];
  return reason === undefined
    ? error
    : new CommandFailure(`the target refused (${code}): ${reason}`);
}
