// Moves everything from one master key to the next. Everything stays readable meanwhile: each item is moved in
// one step, and both keys are available until all are moved.
import type {
  KeyInPlace,
  MasterKeyStore,
  SealedPlace,
  StoredSecret,
  WrappedKey,
} from '../domain/keys/key-ports.ts';
import { SEALED_PLACES } from '../domain/keys/key-ports.ts';
import { currentMasterKey, keysToLeave } from '../domain/keys/master-keys.ts';
import type { RequestKey } from '../domain/request/request.ts';
import { unwrapKey, wrapKey } from './key-pool.ts';
import type { MasterKey, MasterKeyRing } from './master-key.ts';
import { openWith } from './seal-bytes.ts';
import { identitiesContext } from './seal-identities.ts';
import { keysContext } from './seal-keys.ts';
import { createSecretSealer, sealedUnderId } from './seal-secret.ts';
import { beforeSetAside, isSetAside, setAside } from './set-aside-key.ts';

const AT_ONCE = 500;

export interface Rewrap {
  /** Does part of the work, in short transactions; returns whether there is more. */
  step(now: number): Promise<boolean>;
}

/** Called for data that is damaged, or sealed with a key that no longer exists. */
export type TellUnreadable = (what: string, masterKeyId: string) => void;

export function createRewrap(
  store: MasterKeyStore,
  ring: MasterKeyRing,
  unreadable: TellUnreadable = () => undefined,
  atOnce = AT_ONCE,
): Rewrap {
  const sealer = createSecretSealer(ring);
  /** Secrets come first: without them nothing can be decrypted at the next start. */
  let place = -1;
  let after = 0;

  /** A key whose master key is missing is not changed, and does not keep others from being moved. */
  function rewrap(where: SealedPlace, found: KeyInPlace): WrappedKey | undefined {
    const { masterKeyId, wrappedKey } = beforeSetAside(found);
    const { current } = ring;
    const before = ring.byId(masterKeyId);
    const key = before && openKey(before, { ...found, wrappedKey });
    if (key !== undefined) {
      const moved = { masterKeyId: current.id, wrappedKey: wrapKey(current, key) };
      key.fill(0);
      return moved;
    }
    unreadable(`a key in ${where}`, masterKeyId);
    if (isSetAside(found)) return { masterKeyId: current.id, wrappedKey: found.wrappedKey };
    // Damaged data must not keep an old master key from being retired; if that key is missing, it is not counted.
    return before && setAside({ masterKeyId, wrappedKey }, current.id);
  }

  async function moveSecret(secret: StoredSecret, now: number): Promise<void> {
    const id = sealedUnderId(secret.sealed);
    if (id === ring.current.id) return;
    const context = contextOf(secret);
    let plain: Uint8Array;
    try {
      plain = sealer.open(secret.sealed, context);
    } catch {
      unreadable(`the ${secret.kind} "${secret.name}"`, id);
      await store.setAside(secret, now);
      return;
    }
    await store.replaceSecret(secret, sealer.seal(plain, context));
  }

  async function moveSecrets(now: number): Promise<void> {
    for (const secret of await store.secrets()) await moveSecret(secret, now);
  }

  return {
    async step(now) {
      const keys = await store.masterKeys();
      // A master key that this process does not have cannot be retired: this is reported, and the others are
      // moved.
      const leaving = keysToLeave(keys).filter((key) => ring.byId(key.masterKeyId) !== undefined);
      const current = currentMasterKey(keys)?.masterKeyId;
      if (leaving.length === 0 || current === undefined) return false;
      // The ring may not have the key yet. Move data only to the key that the server seals with: otherwise
      // two processes would move it back and forth.
      if (ring.byId(current) === undefined || ring.current.id !== current) return false;
      if (place < 0) {
        await moveSecrets(now);
        place = 0;
      }
      const where = SEALED_PLACES[place];
      if (where !== undefined) {
        const move = (key: KeyInPlace) => rewrap(where, key);
        const next = await store.rewrap(where, after, atOnce, ring.current.id, move);
        after = next ?? 0;
        if (next === undefined) place++;
        return true;
      }
      // Data that was sealed with them in the meantime is found by the next round.
      place = -1;
      let allLeft = true;
      for (const { masterKeyId } of leaving) {
        if (!(await store.retire(masterKeyId, now))) allLeft = false;
      }
      return !allLeft;
    },
  };
}

/**
 * Wrapped keys have no tag: a damaged one unwraps to a key that decrypts nothing. Returns undefined for it.
 */
function openKey(masterKey: MasterKey, found: KeyInPlace): Buffer | undefined {
  const { wrappedKey, sealed, controllerId, subjectRequestId, target } = found;
  if (controllerId === null || subjectRequestId === null) return undefined;
  const request = { controllerId, subjectRequestId } as RequestKey;
  try {
    const key = unwrapKey(masterKey, wrappedKey);
    const context = target === null ? identitiesContext(request) : keysContext(request, target);
    openWith(key, sealed, context).fill(0);
    return key;
  } catch {
    return undefined;
  }
}

function contextOf({ kind, name }: StoredSecret): string {
  return kind === 'own secret' ? `own secret: ${name}` : `signing key ${name}`;
}
