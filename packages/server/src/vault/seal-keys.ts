// The keys of the rows that are about to be erased: they may tell who is meant, so they are sealed
// like identities, bound to their request and target.
import { byNameFromJson } from '../domain/by-name.ts';
import type { Keys } from '../domain/connector.ts';
import type { SealedBytes } from '../domain/fulfilment-ports.ts';
import type { RequestKey } from '../domain/request.ts';
import type { MasterKeyRing } from './master-key.ts';
import { createByteVault } from './seal-bytes.ts';

export interface KeysVault {
  seal(request: RequestKey, target: string, keys: Keys): SealedBytes;
  open(request: RequestKey, target: string, sealed: SealedBytes): Keys;
}

export function createKeysVault(masterKeys: MasterKeyRing): KeysVault {
  const vault = createByteVault(masterKeys);
  return {
    seal: (request, target, keys) =>
      vault.seal(Buffer.from(JSON.stringify(keys)), contextOf(request, target)),
    open: (request, target, sealed) =>
      byNameFromJson(vault.open(sealed, contextOf(request, target)).toString()),
  };
}

function contextOf({ controllerId, subjectRequestId }: RequestKey, target: string): string {
  return `keys\0${controllerId}\0${subjectRequestId.toLowerCase()}\0${target}`;
}
