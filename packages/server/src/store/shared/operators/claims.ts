// What the MACs of these rows cover, and the digests under which secrets are stored: both use the key that
// authenticates rows, which is not in the database.
import type { ClaimedRow, RowMacs } from '../../../domain/keys/row-macs.ts';
import type {
  SignInLink,
  StoredOperatorClient,
  StoredSession,
} from '../../../domain/operator/sign-in-ports.ts';
import { hex } from '../../sql.ts';

type Kind = 'operator link' | 'operator session' | 'operator client';

/** No claim of a row has this form, so the two cannot be confused. */
export function digestOf(macs: RowMacs, kind: Kind, secret: string): Uint8Array {
  return macs.compute({ kind, id: secret, fields: ['digest'] });
}

export function linkClaim(
  digest: Uint8Array,
  row: SignInLink & { readonly usedTime: number | null },
): ClaimedRow {
  const { name, role, createdTime, expiresTime, usedTime } = row;
  const fields = [role, createdTime, expiresTime, usedTime, hex(digest)];
  return { kind: 'operator link', id: `of ${name}`, fields };
}

export function sessionClaim(digest: Uint8Array, row: StoredSession): ClaimedRow {
  const { sessionId, name, role, way, basis, createdTime, usedTime, expiresTime } = row;
  const fields = [name, role, way, basis, createdTime, usedTime, expiresTime, hex(digest)];
  return { kind: 'operator session', id: sessionId, fields };
}

export function operatorClientClaim(digest: Uint8Array, row: StoredOperatorClient): ClaimedRow {
  const { clientId, name, role, createdTime, expiresTime, revokedTime } = row;
  const fields = [name, role, createdTime, expiresTime, revokedTime, hex(digest)];
  return { kind: 'operator client', id: clientId, fields };
}
