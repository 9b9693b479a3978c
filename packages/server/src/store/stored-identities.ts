import type { SealedBytes, SealedIdentities } from '../domain/fulfilment-ports.ts';

/** As a row has them. */
export interface StoredIdentities extends SealedBytes {
  readonly source: string | null;
}

export function withSource({ source, ...sealed }: StoredIdentities): SealedIdentities {
  return source === null ? sealed : { ...sealed, source };
}
