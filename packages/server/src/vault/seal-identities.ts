// Identities at rest: sealed with the tenant and the request id bound in.
import type { IdentityType } from '@unwrite/protocol';
import { Identity } from '../domain/request/identity.ts';
import type { RequestKey } from '../domain/request/request.ts';
import type { SealedBytes } from '../domain/task/fulfilment-ports.ts';
import type { MasterKeyRing } from './master-key.ts';
import { createByteVault } from './seal-bytes.ts';

export interface IdentityVault {
  seal(request: RequestKey, identities: readonly Identity[]): SealedBytes;
  open(request: RequestKey, sealed: SealedBytes): Identity[];
}

export function createIdentityVault(masterKeys: MasterKeyRing): IdentityVault {
  const vault = createByteVault(masterKeys);
  return {
    seal: (request, identities) => vault.seal(toBytes(identities), identitiesContext(request)),
    open: (request, sealed) => fromBytes(vault.open(sealed, identitiesContext(request))),
  };
}

export function identitiesContext({ controllerId, subjectRequestId }: RequestKey): string {
  return `identities\0${controllerId}\0${subjectRequestId.toLowerCase()}`;
}

function toBytes(identities: readonly Identity[]): Buffer {
  return Buffer.from(JSON.stringify(identities.map((it) => [it.type, it.reveal()])));
}

function fromBytes(bytes: Buffer): Identity[] {
  const pairs = JSON.parse(bytes.toString()) as [IdentityType, string][];
  return pairs.map(([type, value]) => new Identity(type, value));
}
