// Controllers at work through several nodes that come and go: what is refused or cut is sent again, as
// any client would, until there is an answer. The ledger has what was acknowledged.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { emailOf } from '../../e2e/set-up/shop.ts';
import { type Answer, call, postJson } from '../../helpers/http/api.ts';
import { identity, requestBody } from '../../helpers/http/request-body.ts';

export interface NodesLedger {
  /** Answered 201, or 409 after an answer had been lost: by id, with the customer that is meant. */
  readonly created: Map<string, number>;
  /** Answered 202. */
  readonly cancelled: Set<string>;
  /** Answers that nobody should get from nodes that are merely killed, or lose their database. */
  readonly unexpected: string[];
  /** How often which answer came; 0: none, the connection was cut. */
  readonly answers: Map<string, number>;
}

export interface Controllers {
  /** Nothing new is sent; resolves when everything that was has its answer. */
  finish(): Promise<void>;
}

export interface ControllersOptions {
  readonly urls: readonly string[];
  readonly token: string;
  readonly ledger: NodesLedger;
  /** Who asks to be forgotten; ends with the last of them. */
  readonly customers: readonly number[];
  readonly clients: number;
  /** Before its end and up to three times as late, requests are cancelled. */
  readonly cancellationWindowMs: number;
  /** Of each client, between two requests. */
  readonly pauseMs: number;
}

const CANCEL_EVERY = 4;
const AGAIN_MS = 100;
/** As long as a client waits before it takes the connection for dead. */
const PATIENCE_MS = 20_000;
const READERS = 2;

export function emptyNodesLedger(): NodesLedger {
  return { created: new Map(), cancelled: new Set(), unexpected: [], answers: new Map() };
}

export function startControllers(options: ControllersOptions): Controllers {
  const { urls, token, ledger, cancellationWindowMs, pauseMs } = options;
  const waiting = [...options.customers];
  const known: string[] = [];
  let running = true;

  const anyUrl = () => urls[Math.floor(Math.random() * urls.length)] as string;

  function note(what: string, status: number): void {
    const key = `${what} ${status}`;
    ledger.answers.set(key, (ledger.answers.get(key) ?? 0) + 1);
  }

  /** One try; undefined where it has to be sent again. */
  async function send(
    what: string,
    ask: (url: string, signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    let answer: Answer;
    try {
      answer = await ask(`${anyUrl()}/requests`, AbortSignal.timeout(PATIENCE_MS));
    } catch {
      note(what, 0);
      await pause(AGAIN_MS);
      return undefined;
    }
    note(what, answer.status);
    if (answer.status !== 503) return answer;
    const isInShape = answer.body?.error?.code === 503 && answer.headers.has('retry-after');
    if (!isInShape) ledger.unexpected.push(`${what}: 503 without its shape: ${answer.text}`);
    await pause(AGAIN_MS);
    return undefined;
  }

  async function untilAnswered(
    what: string,
    ask: (url: string, signal: AbortSignal) => Promise<Answer>,
  ): Promise<{ readonly answer: Answer; readonly tries: number }> {
    for (let tries = 1; ; tries++) {
      const answer = await send(what, ask);
      if (answer !== undefined) return { answer, tries };
    }
  }

  async function create(customer: number): Promise<string | undefined> {
    const body = requestBody({ subject_identities: [identity('email', emailOf(customer))] });
    const id = randomUUID();
    const sent = { ...body, subject_request_id: id };
    const { answer, tries } = await untilAnswered('create', (url, signal) =>
      postJson(url, sent, token, signal),
    );
    if (answer.status !== 201 && !(answer.status === 409 && tries > 1)) {
      ledger.unexpected.push(`create: ${answer.status} ${answer.text}`);
      return undefined;
    }
    ledger.created.set(id, customer);
    known.push(id);
    return id;
  }

  async function cancel(id: string): Promise<void> {
    await pause(Math.random() * 3 * cancellationWindowMs);
    const { answer } = await untilAnswered('cancel', (url, signal) =>
      call(`${url}/${id}`, { method: 'DELETE', token, signal }),
    );
    if (answer.status === 202) ledger.cancelled.add(id);
    // Too late, or cancelled by the same call whose answer was lost.
    else if (answer.status !== 400) {
      ledger.unexpected.push(`cancel: ${answer.status} ${answer.text}`);
    }
  }

  async function work(): Promise<void> {
    for (let turn = 1; running; turn++) {
      const customer = waiting.pop();
      if (customer === undefined) return;
      const id = await create(customer);
      if (id !== undefined && turn % CANCEL_EVERY === 0) await cancel(id);
      await pause(Math.random() * 2 * pauseMs);
    }
  }

  async function read(): Promise<void> {
    while (running) {
      await pause(Math.random() * 2 * pauseMs);
      const id = known[Math.floor(Math.random() * known.length)];
      if (id === undefined) continue;
      const wasCancelled = ledger.cancelled.has(id);
      const answer = await send('status', (url, signal) => call(`${url}/${id}`, { token, signal }));
      if (answer === undefined) continue;
      const status = answer.body?.request_status;
      if (answer.status !== 200 || (wasCancelled && status !== 'cancelled')) {
        ledger.unexpected.push(`status: ${answer.status} ${answer.text}`);
      }
    }
  }

  const ended = Promise.all([
    ...Array.from({ length: options.clients }, work),
    ...Array.from({ length: READERS }, read),
  ]);
  return {
    async finish() {
      running = false;
      await ended;
    },
  };
}
