import { createHash } from 'node:crypto';
import { NotPossible } from '../../domain/task/operator-ports.ts';
import { TABLE_NAMES } from '../copy/tables.ts';
import { neededMasterKeyIds } from '../shared/keys/vault-keys.ts';
import type { Sql } from '../sql.ts';
import type { BackedTable, Row, SchemaVersion, StoreKind } from './backup-format.ts';

/** All of a store at one moment. */
export interface StoreSnapshot {
  readonly kind: StoreKind;
  readonly storeId: string;
  readonly migrations: readonly SchemaVersion[];
  readonly masterKeyIds: readonly string[];
  /** A table comes after those that it refers to. */
  readonly tables: readonly BackedTable[];
  readonly sequences: Readonly<Record<string, number>>;
  countRows(): Promise<number>;
  /** In the order of keys, some at a time. */
  rows(table: BackedTable): AsyncIterable<readonly Row[]>;
}

export const ROWS_AT_ONCE = 500;

/** What both databases are asked in the same way. */
export async function describeStore(
  sql: Sql,
): Promise<Pick<StoreSnapshot, 'storeId' | 'migrations' | 'masterKeyIds'>> {
  const first = await sql.get<{ id: string; time: number }>(
    `SELECT master_key_id AS id, created_time AS time FROM @master_keys
     ORDER BY created_time, master_key_id LIMIT 1`,
  );
  if (first === undefined) {
    throw new NotPossible(
      'the store is empty: no server or command has worked with it yet, so there is nothing to back up',
    );
  }
  return {
    storeId: backedStoreId(first.id, first.time),
    migrations: await sql.all<SchemaVersion>(
      'SELECT number, name, digest FROM @schema_migrations ORDER BY number',
    ),
    masterKeyIds: await neededMasterKeyIds(sql),
  };
}

/** Made from the first master key of the store and the moment when it was recorded. */
export function backedStoreId(masterKeyId: string, createdTime: number): string {
  return createHash('sha256').update(`${masterKeyId} ${createdTime}`).digest('hex').slice(0, 12);
}

export async function countIn(sql: Sql, tables: readonly BackedTable[]): Promise<number> {
  let all = 0;
  for (const { name } of tables) {
    const row = await sql.get<{ rows: number }>(`SELECT count(*) AS rows FROM @${name}`);
    all += row?.rows ?? 0;
  }
  return all;
}

/** Those that `store copy` knows come in its order, which has a table after those that it refers to. */
export function inOrder<T extends { readonly name: string }>(tables: readonly T[]): T[] {
  const placeOf = ({ name }: T) => {
    const place = (TABLE_NAMES as readonly string[]).indexOf(name);
    return place < 0 ? TABLE_NAMES.length : place;
  };
  return tables.toSorted((a, b) => placeOf(a) - placeOf(b) || (a.name < b.name ? -1 : 1));
}
