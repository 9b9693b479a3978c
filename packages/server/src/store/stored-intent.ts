import type { StoredIntent } from '../domain/fulfilment-ports.ts';

/** The columns of an intent; all null where a task has none. */
export interface IntentRow {
  readonly counts: string | null;
  readonly retained: string | null;
  readonly firstTime: number | null;
  readonly masterKeyId: string;
  readonly wrappedKey: Uint8Array;
  readonly sealed: Uint8Array;
}

export function intentOf(row: IntentRow): StoredIntent | null {
  const { counts, retained, firstTime, masterKeyId, wrappedKey, sealed } = row;
  if (counts === null || retained === null || firstTime === null) return null;
  return {
    counts: JSON.parse(counts) as StoredIntent['counts'],
    retained: JSON.parse(retained) as StoredIntent['retained'],
    firstAttemptTime: firstTime,
    keys: { masterKeyId, wrappedKey, sealed },
  };
}
