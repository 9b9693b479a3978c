// From one master key to the next. What is sealed opens at every moment: each thing is moved in one
// step, and both keys are available until all are.
import type { MasterKeyStore, StoredSecret, WrappedKey } from '../domain/keys/key-ports.ts';
import { SEALED_PLACES } from '../domain/keys/key-ports.ts';
import { currentMasterKey, keysToLeave } from '../domain/keys/master-keys.ts';
import { unwrapKey, wrapKey } from './key-pool.ts';
import type { MasterKeyRing } from './master-key.ts';
import { createSecretSealer, sealedUnderId } from './seal-secret.ts';

const AT_ONCE = 500;

export interface Rewrap {
  /** A piece of the work, in short transactions; answers whether there is more. */
  step(now: number): Promise<boolean>;
}

export function createRewrap(store: MasterKeyStore, ring: MasterKeyRing): Rewrap {
  const sealer = createSecretSealer(ring);
  let place = 0;
  let after = 0;

  function rewrap({ masterKeyId, wrappedKey }: WrappedKey): WrappedKey {
    const before = ring.byId(masterKeyId);
    if (before === undefined) throw new Error(`master key ${masterKeyId} is not available`);
    const key = unwrapKey(before, wrappedKey);
    const { current } = ring;
    const moved = { masterKeyId: current.id, wrappedKey: wrapKey(current, key) };
    key.fill(0);
    return moved;
  }

  async function moveSecret(secret: StoredSecret): Promise<void> {
    if (sealedUnderId(secret.sealed) === ring.current.id) return;
    const context = contextOf(secret);
    await store.replaceSecret(secret, sealer.seal(sealer.open(secret.sealed, context), context));
  }

  return {
    async step(now) {
      const keys = await store.masterKeys();
      const leaving = keysToLeave(keys);
      const current = currentMasterKey(keys)?.masterKeyId;
      if (leaving.length === 0 || current === undefined) return false;
      // The ring may not have it yet. Only to the key that the server seals with: otherwise two processes
      // would move things to and fro.
      if (ring.byId(current) === undefined || ring.current.id !== current) return false;
      const where = SEALED_PLACES[place];
      if (where !== undefined) {
        const next = await store.rewrap(where, after, AT_ONCE, ring.current.id, rewrap);
        after = next ?? 0;
        if (next === undefined) place++;
        return true;
      }
      for (const secret of await store.secrets()) await moveSecret(secret);
      // Whatever was sealed under them meanwhile is found by the next round.
      place = 0;
      let allLeft = true;
      for (const { masterKeyId } of leaving) {
        if (!(await store.retire(masterKeyId, now))) allLeft = false;
      }
      return !allLeft;
    },
  };
}

function contextOf({ kind, name }: StoredSecret): string {
  return kind === 'own secret' ? `own secret: ${name}` : `signing key ${name}`;
}
