// The database is not trusted with rows that grant something: such a row carries a MAC under a key that the
// database does not have. What a MAC covers is defined here, once for writing and reading.
import type { Client, ClientSecret, Controller } from '../tenant/tenants.ts';
import type { PublishedKey } from './proof-key-ports.ts';

export type AuthenticatedKind =
  | 'controller'
  | 'client'
  | 'secret'
  | 'release'
  | 'confirmed restore'
  | 'signing key'
  | 'proof key'
  | 'operator link'
  | 'operator session'
  | 'operator client'
  | 'audit row'
  | 'pause'
  | 'request'
  | 'task'
  | 'receipt'
  | 'intent'
  | 'cut'
  | 'master key'
  | 'alarm';

/** The contents of a row that an attacker could gain by changing. */
export interface ClaimedRow {
  readonly kind: AuthenticatedKind;
  /** Named in the alarm; also covered by the MAC. */
  readonly id: string;
  readonly says: readonly (string | number | null)[];
}

/** The controller's own single sign-on: it decides who may act for the controller. */
export function controllerClaim(
  row: Pick<Controller, 'controllerId' | 'ssoOrganisation'>,
): ClaimedRow {
  return { kind: 'controller', id: row.controllerId, says: [row.ssoOrganisation] };
}

export function clientClaim(
  row: Pick<Client, 'clientId' | 'controllerId' | 'revokedTime'>,
): ClaimedRow {
  return { kind: 'client', id: row.clientId, says: [row.controllerId, row.revokedTime] };
}

export function secretClaim(
  row: Pick<ClientSecret, 'secretId' | 'clientId' | 'digest' | 'revokedTime'>,
): ClaimedRow {
  const digest = Buffer.from(row.digest).toString('hex');
  return { kind: 'secret', id: row.secretId, says: [row.clientId, digest, row.revokedTime] };
}

/** A key that signs heads and receipts, in its published form. */
export function proofKeyClaim(row: PublishedKey): ClaimedRow {
  const { keyNo, keyId, publicKey, createdTime, previousKeyId, signature } = row;
  const signed = Buffer.from(signature).toString('hex');
  const says = [keyNo, publicKey, createdTime, previousKeyId, signed];
  return { kind: 'proof key', id: keyId, says };
}

/** An operator's decision that so many rows may be erased. */
export interface Release {
  readonly taskNo: number;
  readonly controllerId: string;
  readonly subjectRequestId: string;
  readonly target: string;
  readonly allowedRows: number;
}

export function releaseClaim(row: Release): ClaimedRow {
  const { taskNo, controllerId, subjectRequestId, target, allowedRows } = row;
  const says = [controllerId, subjectRequestId.toLowerCase(), target, allowedRows];
  return { kind: 'release', id: String(taskNo), says };
}

/** An operator's confirmation that the losses of a restored store were reviewed. */
export interface ConfirmedRestore {
  readonly restoreNo: number;
  readonly detectedTime: number;
  readonly lastHeadNo: number;
  readonly confirmedTime: number | null;
  readonly confirmedBy: string | null;
}

export function confirmedRestoreClaim(row: ConfirmedRestore): ClaimedRow {
  const says = [row.detectedTime, row.lastHeadNo, row.confirmedTime, row.confirmedBy];
  return { kind: 'confirmed restore', id: String(row.restoreNo), says };
}

/** The time up to which retention removed rows of the log. */
export interface CutRecord {
  readonly headNo: number;
  readonly headTime: number;
  readonly signature: Uint8Array;
}

export function cutClaim({ headNo, headTime, signature }: CutRecord): ClaimedRow {
  const signed = Buffer.from(signature).toString('hex');
  return { kind: 'cut', id: String(headNo), says: [headTime, signed] };
}

/** Every row of the log has one: half a MAC cannot be guessed either, and takes half the space. */
export const AUDIT_MAC_BYTES = 16;

export interface RowAuthenticator {
  macOf(row: ClaimedRow): Uint8Array;
  isMacOf(row: ClaimedRow, mac: Uint8Array | null): boolean;
}

/** `why`: what the audit log says instead. */
export type TellRefused = (row: Pick<ClaimedRow, 'kind' | 'id'>, why?: string) => void;

export interface RowMacs {
  /** Called after the store is opened, because the key is sealed in the store itself. */
  use(authenticator: RowAuthenticator, refused?: TellRefused): void;
  of(row: ClaimedRow): Uint8Array;
  /** Raises no alarm, for rows that are reported in another way. */
  isOf(row: ClaimedRow, mac: Uint8Array | null): boolean;
  /** Reports a row with a wrong MAC. */
  fits(row: ClaimedRow, mac: Uint8Array | null): boolean;
  /** Reports a row that contradicts the audit log. */
  readonly refuse: TellRefused;
}

export function createRowMacs(): RowMacs {
  let used: RowAuthenticator | undefined;
  let tell: TellRefused = () => undefined;

  function authenticator(): RowAuthenticator {
    if (used === undefined) throw new Error('the key that authenticates rows is not loaded');
    return used;
  }

  return {
    use(given, refused) {
      used = given;
      if (refused !== undefined) tell = refused;
    },
    of: (row) => authenticator().macOf(row),
    refuse: (row, why) => tell(row, why),
    isOf: (row, mac) => authenticator().isMacOf(row, mac),
    fits(row, mac) {
      const isAuthentic = authenticator().isMacOf(row, mac);
      if (!isAuthentic) tell(row);
      return isAuthentic;
    },
  };
}
