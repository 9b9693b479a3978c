// Identities at rest: sealed with the tenant and the request id bound in.
import { type AnyType, Identity } from '../domain/request/identity.ts';
import type { NewRequest, RequestKey } from '../domain/request/request.ts';
import type { SealedBytes } from '../domain/task/fulfilment-ports.ts';
import type { MasterKeyRing } from './master-key.ts';
import { createByteVault } from './seal-bytes.ts';

export interface IdentityVault {
  seal(request: Forwarded, identities: readonly Identity[]): SealedBytes;
  open(request: RequestKey, sealed: SealedBytes): Identity[];
  /** Domains of the processors that have forwarded the request. */
  openVia(request: RequestKey, sealed: SealedBytes): readonly string[];
}

type Forwarded = RequestKey & Pick<NewRequest, 'via'>;

export function createIdentityVault(masterKeys: MasterKeyRing): IdentityVault {
  const vault = createByteVault(masterKeys);
  return {
    seal: (request, identities) =>
      vault.seal(toBytes(identities, request.via), identitiesContext(request)),
    open: (request, sealed) => fromBytes(vault.open(sealed, identitiesContext(request))),
    openVia: (request, sealed) => viaOf(vault.open(sealed, identitiesContext(request))),
  };
}

export function identitiesContext({ controllerId, subjectRequestId }: RequestKey): string {
  return `identities\0${controllerId}\0${subjectRequestId.toLowerCase()}`;
}

type Pair = [AnyType, string];
/** Few requests were forwarded: the others are the list alone. */
type Stored = Pair[] | { readonly identities: Pair[]; readonly via: string[] };

function toBytes(identities: readonly Identity[], via: readonly string[] = []): Buffer {
  const pairs = identities.map((it): Pair => [it.type, it.reveal()]);
  const stored: Stored = via.length === 0 ? pairs : { identities: pairs, via: [...via] };
  return Buffer.from(JSON.stringify(stored));
}

function fromBytes(bytes: Buffer): Identity[] {
  const stored = JSON.parse(bytes.toString()) as Stored;
  const pairs = Array.isArray(stored) ? stored : stored.identities;
  return pairs.map(([type, value]) => new Identity(type, value));
}

function viaOf(bytes: Buffer): readonly string[] {
  const stored = JSON.parse(bytes.toString()) as Stored;
  return Array.isArray(stored) ? [] : stored.via;
}
