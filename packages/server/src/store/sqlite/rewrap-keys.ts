// Moving what is sealed from one master key to another: only the wrapped keys change, what they seal
// stays as it is.
import type { DatabaseSync } from 'node:sqlite';
import {
  type MasterKeyStore,
  SEALED_PLACES,
  type SealedPlace,
  type StoredSecret,
  type WrappedKey,
} from '../../domain/key-ports.ts';
import { inTransaction } from './transaction.ts';

const KEY_OF: Readonly<Record<SealedPlace, string>> = {
  sealed_identities: 'request_no',
  added_identities: 'added_no',
  intents: 'task_no',
};

interface WrappedRow extends WrappedKey {
  readonly no: number;
}

export function prepareRewrap(database: DatabaseSync): MasterKeyStore['rewrap'] {
  const statements = new Map(SEALED_PLACES.map((place) => [place, prepare(database, place)]));
  return async (place, after, most, currentId, rewrap) => {
    const { select, update } = statements.get(place) ?? prepare(database, place);
    // Read outside of the transaction: where nearly all are moved, the next one may be far away.
    const rows = select.all(after, currentId, most) as unknown as WrappedRow[];
    inTransaction(database, () => {
      for (const { no, ...key } of rows) {
        const { masterKeyId, wrappedKey } = rewrap(key);
        update.run(masterKeyId, wrappedKey, no, key.wrappedKey);
      }
    });
    return rows.length < most ? undefined : rows.at(-1)?.no;
  };
}

function prepare(database: DatabaseSync, place: SealedPlace) {
  const no = KEY_OF[place];
  return {
    select: database.prepare(`
      SELECT ${no} AS no, master_key_id AS masterKeyId, wrapped_key AS wrappedKey FROM ${place}
      WHERE ${no} > ? AND master_key_id <> ? ORDER BY ${no} LIMIT ?
    `),
    update: database.prepare(
      `UPDATE ${place} SET master_key_id = ?, wrapped_key = ? WHERE ${no} = ? AND wrapped_key = ?`,
    ),
  };
}

export function prepareSecrets(database: DatabaseSync): MasterKeyStore['secrets'] {
  const select = database.prepare(`
    SELECT 'own secret' AS kind, name, sealed FROM own_secrets
    UNION ALL SELECT 'signing key', kid, sealed_private_key FROM signing_keys
  `);
  return async () => select.all() as unknown as StoredSecret[];
}

export function prepareReplaceSecret(database: DatabaseSync): MasterKeyStore['replaceSecret'] {
  const updates = {
    'own secret': database.prepare(
      'UPDATE own_secrets SET sealed = ? WHERE name = ? AND sealed = ?',
    ),
    'signing key': database.prepare(
      'UPDATE signing_keys SET sealed_private_key = ? WHERE kid = ? AND sealed_private_key = ?',
    ),
  };
  return async ({ kind, name, sealed: before }, sealed) => {
    updates[kind].run(sealed, name, before);
  };
}
