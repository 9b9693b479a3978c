// Rows as text that is the same for both databases.
import { createHash } from 'node:crypto';
import type { CopiedTable, Key, Row, Value } from './tables.ts';

export interface RowDigest {
  add(rows: readonly Row[]): void;
  /** Number and digest of all rows that were added, in their order. */
  end(): { readonly rows: number; readonly digest: string };
}

export function createRowDigest(): RowDigest {
  const hash = createHash('sha256');
  let count = 0;
  return {
    add(rows) {
      for (const row of rows) hash.update(`${writeValues(row)}\n`);
      count += rows.length;
    },
    end: () => ({ rows: count, digest: hash.digest('hex') }),
  };
}

export function writeValues(values: readonly Value[]): string {
  return JSON.stringify(values.map(plain));
}

export function readKey({ key }: CopiedTable, text: string): Key {
  const values = JSON.parse(text) as (string | number)[];
  return values.map((value, i) =>
    key[i]?.type === 'bytea' ? Buffer.from(String(value), 'hex') : value,
  );
}

function plain(value: Value): string | number | null {
  if (!(value instanceof Uint8Array)) return value;
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex');
}
