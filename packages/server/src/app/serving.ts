// What a server needs from its store beside the ports; each kind of store implements it.
import type { FailureThrottle } from '../auth/throttle-failures.ts';
import type { Config } from '../config/config.ts';
import type { StoredMasterKey } from '../domain/keys/key-ports.ts';
import type { Observe } from '../domain/observation.ts';
import type { ReadMetrics, ServingStore, Store } from '../domain/store/store.ts';
import type { WorkerThread } from '../queue/worker-thread.ts';
import type { Log } from '../telemetry/log.ts';
import type { VaultKeys } from '../vault/load-keys.ts';
import type { WorkSettings } from './work.ts';

export interface ServeParts {
  readonly config: Config;
  /** Of the settings in force, for the list of nodes. */
  readonly configDigest: () => string;
  readonly vaultKeys: VaultKeys;
  readonly log: Log;
  readonly observe: Observe;
}

export interface WorkerParts {
  /** Called for each new thread, because keys and settings may have changed. */
  readonly settings: () => WorkSettings;
  /** On PostgreSQL: targets that it works on at once. */
  readonly concurrency: () => number;
  /** Called when the thread died or had to be ended. */
  readonly stopped: () => Promise<void>;
}

export interface Serving {
  readonly requests: ServingStore;
  readonly throttle: FailureThrottle;
  /** How many nodes accept requests, including this one. */
  apiNodes(): number;
  masterKeys(): Promise<StoredMasterKey[]>;
  /** Why the store cannot be written, if so. */
  troubles(): string[];
  /** Throws if the file of the store is damaged. Called after a restore, before anything is served. */
  requireWhole(): void;
  /** Seals with the first of these keys from then on; returns whether it does. */
  useKeys(masterKeys: readonly Uint8Array[]): Promise<boolean>;
  openMetrics(): Promise<ReadMetrics>;
  startWorker(parts: WorkerParts): WorkerThread;
  /** Resolves when this version cannot work with the store any more; only another process can. */
  readonly outdated: Promise<Error>;
  /** Marks this node in the list of nodes as accepting no more requests. */
  drain(): void;
  /** Resolves when everything that was accepted is durable. */
  close(): Promise<void>;
}

export interface OpenedStore {
  readonly store: Store;
  serve(parts: ServeParts): Promise<Serving>;
}
