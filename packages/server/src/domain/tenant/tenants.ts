// Controllers, their clients and the clients' secrets.
import { NotPossible } from '../task/operator-ports.ts';
import type { ControllerId } from './controller-id.ts';

export interface Controller {
  readonly controllerId: ControllerId;
  readonly name: string | null;
  /** Name of this controller in the claims of its single sign-on, if it is not its slug. */
  readonly ssoOrganisation: string | null;
  readonly createdTime: number;
  /** When its contract ended; left out or null: it has not. */
  readonly closedTime?: number | null;
}

export interface Client {
  readonly clientId: string;
  readonly controllerId: ControllerId;
  readonly name: string | null;
  readonly createdTime: number;
  readonly revokedTime: number | null;
}

export interface ClientSecret {
  readonly secretId: string;
  readonly clientId: string;
  /** SHA-256; a secret has 256 random bits, so no slow hash is needed. */
  readonly digest: Uint8Array;
  readonly createdTime: number;
  readonly revokedTime: number | null;
}

export interface UsableSecret {
  readonly controllerId: ControllerId;
  readonly secretId: string;
  readonly digest: Uint8Array;
}

export function isClosed(controllerId: string): NotPossible {
  return new NotPossible(`controller ${controllerId} is closed: its contract has ended`);
}
