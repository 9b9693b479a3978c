import type { Clock } from '../../domain/clock.ts';
import type { CancelOutcome, CreateOutcome } from '../../domain/request/request.ts';
import type { ServingStore } from '../../domain/store/store.ts';
import { StoreUnavailable } from '../../domain/store/store-unavailable.ts';
import { createCoalescer, type Ran } from '../coalesce.ts';
import { controllerOf, type SealIdentities, type WriteOp } from '../write-ops.ts';
import type { Database } from './database.ts';
import { createReadStatus } from './read-status.ts';
import { createWriteBatch, type Written } from './write-batch.ts';

export function createRequestStore(
  database: Database,
  seal: SealIdentities,
  clock: Clock,
  onFailure: (error: StoreUnavailable) => void = () => undefined,
  ran?: Ran,
): ServingStore {
  const writes = createCoalescer<WriteOp, Written>({
    run: createWriteBatch(database, seal, clock),
    maxBatch: 256,
    // While the server writes one batch, the next is sealed and sent. Batches must not become too small:
    // two of half the size cost the server more than one.
    maxInFlight: 2,
    beside: { items: 16, ms: 50 },
    maxWaiting: 20_000,
    shareOf: controllerOf,
    ran,
  });

  async function write(op: WriteOp): Promise<CreateOutcome | CancelOutcome> {
    const written = await writes.submit(op);
    if (!(written instanceof StoreUnavailable)) return written;
    onFailure(written);
    throw written;
  }

  return {
    create: (request) => write({ op: 'create', request }) as Promise<CreateOutcome>,
    cancel: (command) => write({ op: 'cancel', command }) as Promise<CancelOutcome>,
    read: createReadStatus(database),
    drained: writes.drained,
  };
}
