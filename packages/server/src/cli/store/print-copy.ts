import type { CopyResult } from '../../store/copy/copy-store.ts';
import { ReportedFailure } from '../shared/failure.ts';
import { counted, printJson, printLines, printTable } from '../shared/output.ts';

export interface CopyContext {
  readonly from: string;
  /** Address without its password. */
  readonly to: string;
  readonly schema: string;
  readonly seconds: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Enough of a digest to compare two; the JSON output has all of it. */
const SHOWN = 16;

export function reportCopy(result: CopyResult, context: CopyContext): void {
  const differing = result.tables.filter(({ isEqual }) => !isEqual).map(({ table }) => table);
  const isEqual = differing.length === 0;
  if (context.json) printJson(copyShape(result, context, isEqual));
  else if (!context.quiet || !isEqual) {
    printTable(
      ['table', 'source rows', 'target rows', 'source digest', 'target digest', 'result'],
      result.tables.map(({ table, source, target, isEqual: is }) => [
        table,
        source.rows,
        target.rows,
        source.digest.slice(0, SHOWN),
        target.digest.slice(0, SHOWN),
        is ? 'equal' : 'DIFFERS',
      ]),
    );
    if (isEqual) printLines('', ...whatToDo(result, context));
  }
  if (isEqual) return;
  if (!context.json)
    process.stderr.write(`unwrite: ${whatDiffers(differing, result.wasFinished)}\n`);
  throw new ReportedFailure();
}

function copyShape({ tables, wasFinished, copied }: CopyResult, context: CopyContext, ok: boolean) {
  const { from, to, schema, seconds } = context;
  return {
    ok,
    from,
    to,
    schema,
    was_finished: wasFinished,
    copied_rows: copied,
    seconds: Math.round(seconds * 10) / 10,
    tables: tables.map(({ table, source, target, isEqual }) => ({
      table,
      equal: isEqual,
      source,
      target,
    })),
  };
}

function whatDiffers(tables: readonly string[], wasFinished: boolean): string {
  const names = tables.join(', ');
  return wasFinished
    ? `the two differ in ${names}; the copy was finished before, so this is expected if nodes have used the target since`
    : `the two differ in ${names}; the target cannot be used like this: start over with --from-scratch`;
}

function whatToDo({ tables, wasFinished }: CopyResult, context: CopyContext): string[] {
  const { from, to, schema, seconds } = context;
  const rows = tables.reduce((sum, { source }) => sum + source.rows, 0);
  const said = `${counted(rows, 'row')} in ${from} and in schema ${schema} of ${to} are the same`;
  if (wasFinished) return [`${said}; the copy was finished before.`];
  return [
    `${said} (${Math.ceil(seconds)} s).`,
    '',
    'What is left to do:',
    '1. Give every node the same master key as before: UNWRITE_MASTER_KEY, or a copy of the master key',
    '   file. Without it, sealed data cannot be decrypted.',
    '2. Set UNWRITE_STORE on every node to the address of the database, and start them.',
    `3. Never start a server on ${from} again: it would erase a second time what the nodes erase.`,
    '   Its unwrite.db still holds identities that will be shredded: destroy it with its -wal and -shm when',
    '   "unwrite audit verify" passes on the new store; also destroy its backups.',
  ];
}
