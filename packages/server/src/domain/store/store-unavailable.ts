/** The store cannot be read or written now; nothing was acknowledged. Callers answer 503. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly code = 'store_unavailable';
}

/** The store can be read but accepts no writes: a standby, or a database set to read only. */
export class StoreReadOnly extends Error {
  override readonly name = 'StoreReadOnly';

  constructor() {
    super('the store is read-only: creates and cancels cannot be stored');
  }
}

/** Whether the error is PostgreSQL's own: its message and details may quote data, so only its code may be shown. */
export function isOfPostgres(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'severity' in error;
}
