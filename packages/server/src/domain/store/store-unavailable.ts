/** The store cannot be read or written now; nothing was acknowledged. Callers answer 503. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly code = 'store_unavailable';
}

/** It can be read, and takes no writes: a standby, or a database that was set to read only. */
export class StoreReadOnly extends Error {
  override readonly name = 'StoreReadOnly';

  constructor() {
    super('the store is read-only: creates and cancels cannot be stored');
  }
}

/** PostgreSQL's own error: its message and its details may quote data, and only its code may be shown. */
export function isOfPostgres(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'severity' in error;
}
