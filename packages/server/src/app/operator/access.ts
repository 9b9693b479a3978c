// What the use cases of operator/ need beside the store: identities, master keys, read-only connectors.
import type { Config } from '../../config/config.ts';
import { NODE_ALIVE_MS } from '../../domain/store/node-ports.ts';
import type { Store } from '../../domain/store/store.ts';
import { createOpenIdentities } from '../../fulfilment/open-subjects.ts';
import type { MasterKeyAccess } from '../../operator/keys/master-key-access.ts';
import type { RotationParts } from '../../operator/keys/rotate-keys.ts';
import type { IdentityAccess } from '../../operator/request/request-identities.ts';
import { addToKeyFile, removeFromKeyFile } from '../../vault/change-key-file.ts';
import { loadDigestKeys } from '../../vault/digest-keys.ts';
import type { VaultKeys } from '../../vault/load-keys.ts';
import { createRewrap } from '../../vault/rewrap.ts';
import { createIdentityVault } from '../../vault/seal-identities.ts';
import { createSecretSealer } from '../../vault/seal-secret.ts';

interface Opened {
  readonly store: Store;
  readonly vaultKeys: VaultKeys;
}

export function createIdentityAccess({ store, vaultKeys }: Opened): IdentityAccess {
  const { seal, open } = createIdentityVault(vaultKeys.ring);
  const digestKeys = () => loadDigestKeys(store, createSecretSealer(vaultKeys.ring), store.clock());
  return {
    seal,
    open: createOpenIdentities(open),
    async digests(controllerId, identities) {
      const { digest } = await digestKeys();
      return identities.map((identity) => digest(controllerId, identity));
    },
    async digestPerson() {
      const { digestAll } = await digestKeys();
      return (controllerId, person) =>
        person.flatMap((identity) => digestAll(controllerId, identity));
    },
  };
}

export function createMasterKeyAccess({ ring, file, reload }: VaultKeys): MasterKeyAccess {
  return {
    currentId: () => ring.current.id,
    holds: (id) => ring.byId(id) !== undefined,
    addToFile: file === null ? null : () => addToKeyFile(file),
    removeFromFile(id) {
      if (file !== null) removeFromKeyFile(file, id);
    },
    reload,
  };
}

export function rotationParts({ store, vaultKeys }: Opened, config: () => Config): RotationParts {
  return {
    store,
    access: createMasterKeyAccess(vaultKeys),
    unlessServed: (work) => unlessServed(store, config().dataDir, work),
    moveSome: createRewrap(store.masterKeys, vaultKeys.ring).step,
    retentionBackupsMs: () => config().retentionBackups * 1000,
  };
}

async function unlessServed(
  { nodes, clock }: Store,
  dataDir: string,
  work: () => Promise<void>,
): Promise<boolean> {
  if (nodes !== null) {
    const alive = await nodes.nodes(clock() - NODE_ALIVE_MS);
    if (alive.length > 0) return false;
    await work();
    return true;
  }
  const { takeServeLock } = await import('../../store/sqlite/serve-lock.ts');
  const lock = takeServeLock(dataDir, 0);
  if (lock === undefined) return false;
  await work();
  lock.release();
  return true;
}
