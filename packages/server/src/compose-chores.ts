// What is done now and then beside the batches. The server's thread only asks whether a worker is
// wanted; the worker's thread does it. Both ask the same questions.
import type { DatabaseSync } from 'node:sqlite';
import type { Chore, DueChore } from './domain/chore.ts';
import type { WorkerMessage } from './queue/worker-thread.ts';
import type { MasterKeyRing } from './vault/master-key.ts';

/** Plain data: it is handed to a thread. */
export interface ChoreSettings {
  readonly dataDir: string;
}

export interface ChoreParts {
  readonly database: DatabaseSync;
  readonly settings: ChoreSettings;
  readonly masterKeys: MasterKeyRing;
  readonly say: (message: WorkerMessage) => void;
}

export function createDueChores(_reader: DatabaseSync, _settings: ChoreSettings): DueChore[] {
  return [];
}

export function createChores(_parts: ChoreParts): Chore[] {
  return [];
}
