// Sealing and digesting together: what the store needs of the vault.
import type { KeyObject } from 'node:crypto';
import type { ControllerId } from '../domain/controller-id.ts';
import type { Identity } from '../domain/identity.ts';
import { createDigestIdentity } from './digest-identity.ts';
import { createMasterKey, createMasterKeyRing, type MasterKey } from './master-key.ts';
import { createIdentityVault, type IdentityVault } from './seal-identities.ts';

export interface ProtectIdentities extends IdentityVault {
  digest(controllerId: ControllerId, identity: Identity): Uint8Array;
}

export function protectIdentities(
  masterKeys: readonly Uint8Array[],
  digestKey: KeyObject,
): ProtectIdentities {
  const [first, ...others] = masterKeys.map(createMasterKey);
  if (first === undefined) throw new Error('no master key');
  const ring: readonly [MasterKey, ...MasterKey[]] = [first, ...others];
  return {
    ...createIdentityVault(createMasterKeyRing(ring)),
    digest: createDigestIdentity(digestKey),
  };
}
