// Seals the rows that are about to be erased: their keys may reveal the person, so they are sealed like
// identities, bound to their request and target.
import { byName, byNameFromJson } from '../domain/by-name.ts';
import type { RequestKey } from '../domain/request/request.ts';
import type { Counts, KeyRow, Keys } from '../domain/target/connector.ts';
import type { DetachedRows, KeyLayout } from '../domain/target/row-layout.ts';
import type { IntendedRows, SaidIntent, SealedBytes } from '../domain/task/fulfilment-ports.ts';
import type { MasterKeyRing } from './master-key.ts';
import { createByteVault } from './seal-bytes.ts';

export interface KeysVault {
  seal(request: RequestKey, target: string, rows: IntendedRows): SealedBytes;
  open(request: RequestKey, target: string, sealed: SealedBytes): IntendedRows;
}

const FORMAT = 1;

export function createKeysVault(masterKeys: MasterKeyRing): KeysVault {
  const vault = createByteVault(masterKeys);
  return {
    seal: (request, target, rows) =>
      vault.seal(Buffer.from(writeRows(rows)), keysContext(request, target)),
    open: (request, target, sealed) =>
      readRows(vault.open(sealed, keysContext(request, target)).toString()),
  };
}

const layouts = new WeakMap<KeyLayout, string>();

/** The layout is the same for a whole batch, and longer than most keys, so it is written once. */
function writeRows({ layout, ...rows }: IntendedRows): string {
  const json = JSON.stringify({ format: FORMAT, ...rows });
  if (layout === undefined) return json;
  const known = layouts.get(layout) ?? JSON.stringify(layout);
  layouts.set(layout, known);
  return `${json.slice(0, -1)},"layout":${known}}`;
}

function readRows(json: string): IntendedRows {
  const content = byNameFromJson<unknown>(json);
  if (content.format !== FORMAT) throw new Error('the intent has another format');
  const keys = byName(Object.entries(content.keys as Record<string, readonly KeyRow[]>));
  return {
    keys,
    layout: named(content.layout as KeyLayout | undefined),
    kept: named(content.kept as Keys | undefined),
    retainedRows: named(content.retainedRows as Keys | undefined),
    detached: named(content.detached as Counts | undefined),
    detachedRows: content.detachedRows as readonly DetachedRows[] | undefined,
    detachedBefore: named(content.detachedBefore as Keys | undefined),
    gone: named(content.gone as Keys | undefined),
    goneElsewhere: named(content.goneElsewhere as Keys | undefined),
    times: content.times as readonly string[] | undefined,
    schemas: content.schemas as string | undefined,
    said: saidBy(content.said as SaidIntent),
  };
}

function saidBy(said: SaidIntent): SaidIntent {
  return {
    ...said,
    counts: byName(Object.entries(said.counts)),
    retained: byName(Object.entries(said.retained)),
  };
}

function named<T>(content: Readonly<Record<string, T>> | undefined): Record<string, T> | undefined {
  return content && byName(Object.entries(content));
}

export function keysContext(
  { controllerId, subjectRequestId }: RequestKey,
  target: string,
): string {
  return `keys\0${controllerId}\0${subjectRequestId.toLowerCase()}\0${target}`;
}
