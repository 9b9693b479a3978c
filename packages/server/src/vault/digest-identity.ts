// "Have we erased this person?" without keeping the person: an HMAC under a key of its own, with the
// controller in it, so that digests of two controllers never meet.
import { createHmac, type KeyObject } from 'node:crypto';
import type { ControllerId } from '../domain/controller-id.ts';
import type { Identity } from '../domain/identity.ts';

export const DIGEST_BYTES = 16;

export type DigestIdentity = (controllerId: ControllerId, identity: Identity) => Uint8Array;

export function createDigestIdentity(key: KeyObject): DigestIdentity {
  return (controllerId, identity) =>
    createHmac('sha256', key)
      .update(`${controllerId}\0${identity.type}\0${identity.matchKey()}`)
      .digest()
      .subarray(0, DIGEST_BYTES);
}
