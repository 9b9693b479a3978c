// The database is not trusted with rows that grant something: such a row carries a MAC under a key that the
// database does not have. What a MAC covers is defined here, once for writing and reading.
import type { Client, ClientSecret, Controller } from '../tenant/tenants.ts';
import type { PublishedKey } from './proof-key-ports.ts';

export type AuthenticatedKind =
  | 'controller'
  | 'client'
  | 'secret'
  | 'release'
  | 'restore'
  | 'restore finding'
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

/** The columns of a row whose change would benefit an attacker. */
export interface ClaimedRow {
  readonly kind: AuthenticatedKind;
  /** Named in the alarm; also covered by the MAC. */
  readonly id: string;
  readonly fields: readonly (string | number | null)[];
}

/** The controller's own single sign-on, and the end of its contract, decide who may act for it. */
export function controllerClaim(
  row: Pick<Controller, 'controllerId' | 'ssoOrganisation' | 'closedTime'>,
): ClaimedRow {
  const { controllerId, ssoOrganisation, closedTime = null } = row;
  return { kind: 'controller', id: controllerId, fields: [ssoOrganisation, closedTime] };
}

export function clientClaim(
  row: Pick<Client, 'clientId' | 'controllerId' | 'revokedTime'>,
): ClaimedRow {
  return { kind: 'client', id: row.clientId, fields: [row.controllerId, row.revokedTime] };
}

export function secretClaim(
  row: Pick<ClientSecret, 'secretId' | 'clientId' | 'digest' | 'revokedTime'>,
): ClaimedRow {
  const digest = Buffer.from(row.digest).toString('hex');
  return { kind: 'secret', id: row.secretId, fields: [row.clientId, digest, row.revokedTime] };
}

/** A key that signs heads and receipts, in its published form. */
export function proofKeyClaim(row: PublishedKey): ClaimedRow {
  const { keyNo, keyId, publicKey, createdTime, previousKeyId, signature } = row;
  const signed = Buffer.from(signature).toString('hex');
  const fields = [keyNo, publicKey, createdTime, previousKeyId, signed];
  return { kind: 'proof key', id: keyId, fields };
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
  const fields = [controllerId, subjectRequestId.toLowerCase(), target, allowedRows];
  return { kind: 'release', id: String(taskNo), fields };
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
  const fields = [row.detectedTime, row.lastHeadNo, row.confirmedTime, row.confirmedBy];
  return { kind: 'confirmed restore', id: String(row.restoreNo), fields };
}

/** That the store went back in time, before an operator has confirmed it. */
export type OpenRestore = Pick<ConfirmedRestore, 'restoreNo' | 'detectedTime' | 'lastHeadNo'>;

export function openRestoreClaim(row: OpenRestore): ClaimedRow {
  const fields = [row.detectedTime, row.lastHeadNo];
  return { kind: 'restore', id: String(row.restoreNo), fields };
}

/** An entry of the list that an operator reviews: confirming cancels such a request. */
export interface ListedFinding {
  readonly what: string;
  readonly controllerId: string;
  readonly subjectRequestId: string;
  readonly time: number;
  readonly source: string;
}

/** Entries of an earlier restore, from a copy of the database, do not fit another one. */
export function findingClaim(
  row: ListedFinding,
  restore: Pick<OpenRestore, 'restoreNo' | 'detectedTime'>,
): ClaimedRow {
  const { what, controllerId, subjectRequestId, time, source } = row;
  const id = `${what} ${controllerId} ${subjectRequestId}`;
  const fields = [restore.restoreNo, restore.detectedTime, time, source];
  return { kind: 'restore finding', id, fields };
}

/** The time up to which retention removed rows of the log. */
export interface CutRecord {
  readonly headNo: number;
  readonly headTime: number;
  readonly signature: Uint8Array;
}

export function cutClaim({ headNo, headTime, signature }: CutRecord): ClaimedRow {
  const signed = Buffer.from(signature).toString('hex');
  return { kind: 'cut', id: String(headNo), fields: [headTime, signed] };
}

/** Truncated to 128 bits, because every row of the log has one. */
export const AUDIT_MAC_BYTES = 16;

export interface RowAuthenticator {
  macOf(row: ClaimedRow): Uint8Array;
  isMacOf(row: ClaimedRow, mac: Uint8Array | null): boolean;
}

/** `why`: what the audit log says instead. */
export type TellRefused = (row: Pick<ClaimedRow, 'kind' | 'id'>, why?: string) => void;

export interface RowMacs {
  /** Called after the store is opened, because the key is sealed in the store itself. */
  setKey(authenticator: RowAuthenticator, refused?: TellRefused): void;
  compute(row: ClaimedRow): Uint8Array;
  /** Raises no alarm, for rows that are reported in another way. */
  verify(row: ClaimedRow, mac: Uint8Array | null): boolean;
  /** Reports a row with a wrong MAC. */
  verifyOrReport(row: ClaimedRow, mac: Uint8Array | null): boolean;
  /** Reports a row that contradicts the audit log. */
  readonly refuse: TellRefused;
}

export function createRowMacs(): RowMacs {
  let key: RowAuthenticator | undefined;
  let tell: TellRefused = () => undefined;

  function authenticator(): RowAuthenticator {
    if (key === undefined) throw new Error('the key that authenticates rows is not loaded');
    return key;
  }

  return {
    setKey(given, refused) {
      key = given;
      if (refused !== undefined) tell = refused;
    },
    compute: (row) => authenticator().macOf(row),
    refuse: (row, why) => tell(row, why),
    verify: (row, mac) => authenticator().isMacOf(row, mac),
    verifyOrReport(row, mac) {
      const isAuthentic = authenticator().isMacOf(row, mac);
      if (!isAuthentic) tell(row);
      return isAuthentic;
    },
  };
}
