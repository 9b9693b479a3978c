/** The store cannot take or give this now; nothing was acknowledged. Callers answer 503. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly code = 'store_unavailable';
}

/** PostgreSQL's own error: its message and its details may quote data, and only its code may be shown. */
export function isOfPostgres(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'severity' in error;
}
