// What a server needs of its store beside the ports: each kind of store has its own way of being served.
import type { FailureThrottle } from '../auth/throttle-failures.ts';
import type { Config } from '../config/config.ts';
import type { StoredMasterKey } from '../domain/keys/key-ports.ts';
import type { ReadMetrics, ServingStore, Store } from '../domain/store/store.ts';
import type { WorkerThread } from '../queue/worker-thread.ts';
import type { Log } from '../telemetry/log.ts';
import type { VaultKeys } from '../vault/load-keys.ts';
import type { WorkSettings } from './work.ts';

export interface ServeParts {
  readonly config: Config;
  readonly vaultKeys: VaultKeys;
  readonly log: Log;
}

export interface WorkerParts {
  /** Asked for each thread: the keys may have changed. */
  readonly settings: () => WorkSettings;
  /** It died, or had to be ended. */
  readonly stopped: () => Promise<void>;
}

export interface Serving {
  readonly requests: ServingStore;
  readonly throttle: FailureThrottle;
  /** How many nodes take requests, this one included. */
  apiNodes(): number;
  masterKeys(): Promise<StoredMasterKey[]>;
  /** Why the store cannot be written to, if so. */
  troubles(): string[];
  /** Seals with the first of these from then on; answers whether it does. */
  useKeys(masterKeys: readonly Uint8Array[]): Promise<boolean>;
  openMetrics(): Promise<ReadMetrics>;
  startWorker(parts: WorkerParts): WorkerThread;
  /** Shown where nodes are listed: it takes no more requests. */
  drain(): void;
  /** When everything that was accepted is durable. */
  close(): Promise<void>;
}

export interface OpenedStore {
  readonly store: Store;
  serve(parts: ServeParts): Promise<Serving>;
}
