// Everything that callers do at once, and what they were answered.
import { randomUUID } from 'node:crypto';
import { identity, requestBody } from '../../../protocol/test/helpers/request-body.ts';
import { emailOf } from '../e2e/set-up/shop.ts';
import { type Answer, type Credentials, call, getToken, postJson } from '../helpers/http/api.ts';

export interface SoakLedger {
  /** Of the controller whose targets work: customers by id of the request; null: a stranger. */
  readonly created: Map<string, number | null>;
  readonly cancelled: Set<string>;
  readonly tooLate: Set<string>;
  readonly unexpected: string[];
  readonly answers: Map<number, number>;
}

export interface SoakLoad {
  readonly ledger: SoakLedger;
  /** Milliseconds of the status reads since the last time. */
  takeTimes(): number[];
  stop(): Promise<void>;
}

export interface SoakParties {
  readonly acme: Credentials;
  /** One of its targets always fails. */
  readonly beta: Credentials;
  /** Even numbers are customers of acme. */
  readonly customers: number;
}

export async function startSoakLoad(url: string, parties: SoakParties): Promise<SoakLoad> {
  const ledger: SoakLedger = {
    created: new Map(),
    cancelled: new Set(),
    tooLate: new Set(),
    unexpected: [],
    answers: new Map(),
  };
  const requests = `${url}/requests`;
  let [acme, beta] = [await getToken(parties.acme), await getToken(parties.beta)];
  const known: string[] = [];
  let [times, nextCustomer, isRunning]: [number[], number, boolean] = [[], 0, true];

  function expectOne(what: string, answer: Answer, ...allowed: number[]): Answer {
    ledger.answers.set(answer.status, (ledger.answers.get(answer.status) ?? 0) + 1);
    // A server that is too busy may say so; nothing else of ours may fail.
    if (!allowed.includes(answer.status) && answer.status !== 503)
      ledger.unexpected.push(`${what}: ${answer.status} ${answer.text}`);
    return answer;
  }

  async function create(): Promise<void> {
    const isCustomer = Math.random() < 0.5 && nextCustomer < parties.customers;
    const customer = isCustomer ? nextCustomer : null;
    if (isCustomer) nextCustomer += 2;
    const email = customer === null ? `${randomUUID()}@example.com` : emailOf(customer);
    const body = requestBody({ subject_identities: [identity('email', email)] });
    const id = String(body.subject_request_id);
    const { status } = expectOne('create', await postJson(requests, body, acme), 201);
    if (status !== 201) return;
    ledger.created.set(id, customer);
    if (known.push(id) > 500) known.shift();
    if (Math.random() < 0.2) await cancel(id);
  }
  async function cancel(id: string): Promise<void> {
    const answer = await call(`${requests}/${id}`, { method: 'DELETE', token: acme });
    const { status } = expectOne('cancel', answer, 202, 400);
    if (status === 202) ledger.cancelled.add(id);
    if (status === 400) ledger.tooLate.add(id);
  }
  async function read(): Promise<void> {
    const id = known[Math.floor(Math.random() * known.length)];
    if (id === undefined) return;
    const started = performance.now();
    expectOne('status', await call(`${requests}/${id}`, { token: acme }), 200);
    times.push(performance.now() - started);
  }
  async function createFailing(): Promise<void> {
    const late = { submitted_time: '2020-01-01T00:00:00Z' };
    const body = requestBody(Math.random() < 0.3 ? late : {});
    expectOne('create', await postJson(requests, body, beta), 201);
  }
  const bad = [
    async () => expectOne('bad', await postJson(requests, '{"a":', acme), 400),
    async () => expectOne('bad', await postJson(requests, {}, 'x.y.z'), 401),
    async () => expectOne('bad', await call(`${requests}/${randomUUID()}`, { token: beta }), 404),
    async () => expectOne('bad', await call(`${url}/nothing/${randomUUID()}`), 404),
    async () =>
      expectOne('bad', await postJson(`${url}/oauth/token`, { client_id: 'x' }), 400, 401),
  ];
  const sendBad = async () => void (await bad[Math.floor(Math.random() * bad.length)]?.());
  // A token is valid for an hour, and a run may be longer.
  async function grant(): Promise<void> {
    acme = await getToken(parties.acme);
    beta = await getToken(parties.beta);
  }

  async function repeat(everyMs: number, work: () => Promise<void>): Promise<void> {
    while (isRunning) {
      await work().catch((error: Error) => ledger.unexpected.push(error.message));
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  }
  const running = [
    repeat(60, create),
    repeat(60, create),
    repeat(10, read),
    repeat(10, read),
    repeat(400, createFailing),
    repeat(40, sendBad),
    repeat(250, grant),
  ];
  return {
    ledger,
    takeTimes() {
      const taken = times;
      times = [];
      return taken;
    },
    async stop() {
      isRunning = false;
      await Promise.all(running);
    },
  };
}
