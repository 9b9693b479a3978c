// Identities at rest: AES-256-GCM under a fresh key a request, wrapped by the master key, with the
// tenant and the request id bound in, so that a sealed row moved to another request does not open.
import type { IdentityType } from '@unwrite/protocol';
import { Identity } from '../domain/identity.ts';
import type { RequestKey } from '../domain/request.ts';
import { decrypt, encrypt, NONCE_BYTES } from './aes-gcm.ts';
import { createKeyPool, unwrapKey } from './key-pool.ts';
import type { MasterKeyRing } from './master-key.ts';

export interface SealedIdentities {
  readonly masterKeyId: string;
  readonly wrappedKey: Uint8Array;
  readonly sealed: Uint8Array;
}

export interface IdentityVault {
  seal(request: RequestKey, identities: readonly Identity[]): SealedIdentities;
  open(request: RequestKey, sealed: SealedIdentities): Identity[];
}

/** A fresh key encrypts once, so its nonce need not be random. */
const ONLY_NONCE = Buffer.alloc(NONCE_BYTES);

export function createIdentityVault(masterKeys: MasterKeyRing): IdentityVault {
  const freshKey = createKeyPool(masterKeys.current);

  return {
    seal(request, identities) {
      const { key, wrappedKey } = freshKey();
      const sealed = encrypt(key, ONLY_NONCE, toBytes(identities), contextOf(request));
      key.fill(0);
      return { masterKeyId: masterKeys.current.id, wrappedKey, sealed };
    },

    open(request, { masterKeyId, wrappedKey, sealed }) {
      const masterKey = masterKeys.byId(masterKeyId);
      if (masterKey === undefined) throw new Error(`master key ${masterKeyId} is not available`);
      const key = unwrapKey(masterKey, wrappedKey);
      return fromBytes(decrypt(key, ONLY_NONCE, sealed, contextOf(request)));
    },
  };
}

function contextOf({ controllerId, subjectRequestId }: RequestKey): Buffer {
  return Buffer.from(`identities\0${controllerId}\0${subjectRequestId.toLowerCase()}`);
}

function toBytes(identities: readonly Identity[]): Buffer {
  return Buffer.from(JSON.stringify(identities.map((it) => [it.type, it.reveal()])));
}

function fromBytes(bytes: Buffer): Identity[] {
  const pairs = JSON.parse(bytes.toString()) as [IdentityType, string][];
  return pairs.map(([type, value]) => new Identity(type, value));
}
