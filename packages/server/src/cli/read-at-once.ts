import type { SqliteStore } from '../store/sqlite/open-store.ts';

/** In one reading transaction: what is cut or written meanwhile does not tear what is read. */
export async function readAtOnce<T>(
  { reader }: Pick<SqliteStore, 'reader'>,
  read: () => Promise<T>,
): Promise<T> {
  reader.exec('BEGIN');
  try {
    return await read();
  } finally {
    reader.exec('COMMIT');
  }
}
