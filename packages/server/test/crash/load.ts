// Controllers at work: many at once create requests and cancel some, and write down what the server
// acknowledged. What is in this ledger must be in the store, whatever happened to the server.
import { randomUUID } from 'node:crypto';
import { identity, requestBody } from '../../../protocol/test/helpers/request-body.ts';
import { call, postJson } from '../helpers/http/api.ts';

const CANCEL_EVERY = 4;

export interface Ledger {
  /** Answered 201, by id, with the identities that were sent. */
  readonly created: Map<string, string[]>;
  /** Answered 202. */
  readonly cancelled: Set<string>;
  /** A cancellation was sent; whether it was answered or not. */
  readonly cancelSent: Set<string>;
  /** Answers that nobody should get from a server that is merely killed or stopped. */
  readonly unexpected: string[];
}

export function emptyLedger(): Ledger {
  return { created: new Map(), cancelled: new Set(), cancelSent: new Set(), unexpected: [] };
}

export interface Load {
  /** Resolves when so many answers have been acknowledged since the start of this load. */
  acknowledged(count: number): Promise<void>;
  /** Stops sending, and resolves when the last answer or failure has come. */
  stop(): Promise<void>;
}

export function startLoad(url: string, token: string, ledger: Ledger, workers: number): Load {
  let running = true;
  let count = 0;
  let wanted: { count: number; resolve: () => void } | undefined;

  function note(): void {
    count++;
    if (wanted !== undefined && count >= wanted.count) wanted.resolve();
  }

  async function createOne(): Promise<string | undefined> {
    const values = [`${randomUUID()}@example.com`, randomUUID()];
    const [email, customer] = values;
    const body = requestBody({
      subject_identities: [identity('email', email), identity('controller_customer_id', customer)],
    });
    const answer = await postJson(`${url}/requests`, body, token);
    if (answer.status !== 201) {
      ledger.unexpected.push(`create: ${answer.status} ${answer.text}`);
      return undefined;
    }
    const id = body.subject_request_id as string;
    ledger.created.set(id, values);
    note();
    return id;
  }

  async function cancelOne(id: string): Promise<void> {
    ledger.cancelSent.add(id);
    const answer = await call(`${url}/requests/${id}`, { method: 'DELETE', token });
    if (answer.status !== 202) {
      ledger.unexpected.push(`cancel: ${answer.status} ${answer.text}`);
      return;
    }
    ledger.cancelled.add(id);
    note();
  }

  async function work(): Promise<void> {
    for (let turn = 1; running; turn++) {
      try {
        const id = await createOne();
        if (id !== undefined && turn % CANCEL_EVERY === 0) await cancelOne(id);
      } catch {
        // The connection is gone: nothing was acknowledged, and there is nobody to ask.
        return;
      }
    }
  }

  const ended = Promise.all(Array.from({ length: workers }, work));
  return {
    acknowledged: (target) =>
      new Promise((resolve, reject) => {
        if (count >= target) resolve();
        wanted = { count: target, resolve };
        ended.then(() => reject(new Error(`the load ended after ${count} answers`)), reject);
      }),
    async stop() {
      running = false;
      await ended;
    },
  };
}
