/** The store cannot take or give this now; nothing was acknowledged. Callers answer 503. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly code = 'store_unavailable';
}
