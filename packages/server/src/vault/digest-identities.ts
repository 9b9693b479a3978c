// Keyed digests of identities: they show whether a person was erased without storing who it was.
import { createHmac, type KeyObject } from 'node:crypto';
import type { Identity } from '../domain/request/identity.ts';
import type { ControllerId } from '../domain/tenant/controller-id.ts';

export type DigestIdentity = (controllerId: ControllerId, identity: Identity) => Uint8Array;

export function createIdentityDigest(key: KeyObject): DigestIdentity {
  return (controllerId, identity) =>
    createHmac('sha256', key)
      .update(`${controllerId}\0${identity.type}\0${identity.matchKey()}`)
      .digest();
}
