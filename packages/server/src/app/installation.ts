// Opens the store and the vault, for the command line and the server alike.
import { createRefusedRows, type RefusedRows } from '../alarms/refused-rows.ts';
import { createSigningKeys, type SigningKeys } from '../auth/signing-keys.ts';
import type { Config } from '../config/config.ts';
import { SQLITE } from '../config/store-kind.ts';
import { secretContext } from '../domain/keys/open-secret.ts';
import { isSandboxStore, SANDBOX_MARK, StoreOfAnotherKind } from '../domain/store/sandbox.ts';
import type { Store } from '../domain/store/store.ts';
import type { IdentityAccess } from '../operator/request/request-identities.ts';
import { POLL_INTERVALS, type PollIntervals } from '../queue/poll-intervals.ts';
import { loadVaultKeys, type VaultKeys } from '../vault/load-keys.ts';
import { makeRowKey, ROW_KEY_NAME } from '../vault/row-key.ts';
import { createSecretSealer, sealedUnderId } from '../vault/seal-secret.ts';
import { createIdentityAccess } from './operator/access.ts';
import type { OpenedStore } from './serving.ts';
import { openSqlite } from './sqlite.ts';

/** What the command line and the server share: the store, the vault, our signing keys. */
export interface Installation extends OpenedStore {
  readonly vaultKeys: VaultKeys;
  readonly signingKeys: SigningKeys;
  /** For the use cases of operator/. */
  readonly identities: IdentityAccess;
  /** Rows of the store that Unwrite did not write. */
  readonly refusedRows: RefusedRows;
  close(): Promise<void>;
}

export async function openInstallation(
  config: Config,
  intervals: PollIntervals = POLL_INTERVALS,
): Promise<Installation> {
  const opened = await openStore(config);
  const { store } = opened;
  try {
    const isMarked = await requireOwnKind(store, config.sandbox);
    const vaultKeys = await loadVaultKeys(config, store.vaultKeys, store.clock);
    const sealer = createSecretSealer(vaultKeys.ring);
    const refusedRows = createRefusedRows(store.alarms, store.clock);
    const { ownSecrets, rowKeys, rowMacs } = store;
    const { dataDir } = config;
    // Before the key that shows that a store is in use.
    if (config.sandbox && !isMarked) {
      await ownSecrets.addOwnSecret(
        SANDBOX_MARK,
        sealer.seal(Buffer.from(SANDBOX_MARK), secretContext(SANDBOX_MARK)),
      );
    }
    const rowKey = { ownSecrets, rowKeys, rowMacs, sealer, dataDir };
    rowMacs.setKey(await makeRowKey(rowKey), refusedRows.refused);
    const signingKeys = createSigningKeys({
      store: store.signingKeys,
      sealer,
      clock: store.clock,
      rotateAfterMs: config.signingKeyRotation * 1000,
      verifyRetiredMs: config.tokenLifetime * 1000,
      refreshMs: intervals.credentials,
      isAway: (sealed) => sealedUnderId(sealed) === vaultKeys.lacking,
      refused: (kid) => refusedRows.refused({ kind: 'signing key', id: kid }),
    });
    // Only the server rotates and removes keys, by its own settings; any command may need a first key.
    await signingKeys.ensure();
    const identities = createIdentityAccess({ store, vaultKeys });
    return {
      ...opened,
      vaultKeys,
      signingKeys,
      identities,
      refusedRows,
      async close() {
        await refusedRows.told();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** A sandbox marks an empty store; otherwise both refuse what is the other's. Returns whether there is a mark. */
async function requireOwnKind({ ownSecrets }: Store, isSandbox: boolean): Promise<boolean> {
  const isMarked = await isSandboxStore(ownSecrets);
  const isNew = (await ownSecrets.ownSecret(ROW_KEY_NAME)) === undefined;
  if (isMarked !== isSandbox && (isMarked || !isNew)) throw new StoreOfAnotherKind(isMarked);
  return isMarked;
}

/** Loads only what this kind of store needs. */
async function openStore(config: Config): Promise<OpenedStore> {
  if (config.store === SQLITE) return openSqlite(config);
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres(config);
}
