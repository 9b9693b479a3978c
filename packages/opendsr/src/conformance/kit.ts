// What checks have to work with: calls of the processor, and requests in the states that they need. Each is made once.
import { randomUUID } from 'node:crypto';
import {
  type ErasureClient,
  ErasureError,
  type RawAnswer,
  type SendRequest,
  UnavailableError,
} from '@unwrite/client';
import { type Exchange, exchangeOf, type Sent } from './exchange.ts';
import { NotApplicable } from './findings.ts';
import { makePerson, type TestIdentity } from './people.ts';
import type { SigningCertificate } from './signing-certificate.ts';

export interface Kit {
  readonly baseUrl: URL;
  now(): number;
  /** `authorization` undefined: the token of the credentials; null: none. */
  send(sent: Partial<Sent> & { path: string }, authorization?: string | null): Promise<Exchange>;
  /** At the token endpoint, with these changes to the body. Undefined where there is none. */
  token: ((changes: Readonly<Record<string, unknown>>) => Promise<Exchange>) | undefined;
  discovery(): Promise<Exchange>;
  /** A valid create, with changes: a member that is undefined is left out. */
  create(changes?: Readonly<Record<string, unknown>>): Promise<Exchange>;
  /** A request that was created and is left alone. */
  created(): Promise<Exchange>;
  /** Its status. */
  status(): Promise<Exchange>;
  /** The cancellation of another one. */
  cancelled(): Promise<Exchange>;
  /** Status of that one, after it. */
  statusAfterCancel(): Promise<Exchange>;
  /** The second cancellation of that one. */
  cancelledAgain(): Promise<Exchange>;
  statusOf(id: unknown): Promise<Exchange>;
  cancel(id: unknown): Promise<Exchange>;
  /** The values that identify the people of this run. */
  readonly people: readonly string[];
  /** The requests of this run. */
  readonly ids: ReadonlySet<string>;
  /** The certificate that discovery names, verified. */
  certificate(): Promise<SigningCertificate>;
  /** Cancels what was created; the ids that are left. The signal of the checks does not end it. */
  cleanUp(signal: AbortSignal): Promise<string[]>;
}

export interface KitOptions {
  readonly client: ErasureClient;
  readonly baseUrl: string;
  /** Checks say `/requests`, wherever those are. */
  readonly requestsPath: string;
  /** Ends the calls of the checks. */
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly token: ((changes: Readonly<Record<string, unknown>>) => Promise<Exchange>) | undefined;
  readonly loadCertificate: (discovery: Exchange) => Promise<SigningCertificate>;
}

const MAX_ATTEMPTS = 4;
/** Calls in a row without an answer, each of which may have taken minutes, until discovery is asked whether any comes. */
const MAX_UNANSWERED = 3;
const MAX_WAIT_S = 120;
const JSON_HEADERS = { 'content-type': 'application/json' };

export function createKit(options: KitOptions): Kit {
  const { client, now } = options;
  let { signal } = options;
  let unanswered = 0;
  let isAway = false;
  const people: string[] = [];
  const ids = new Set<string>();
  const made = new Map<string, Promise<unknown>>();

  function once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const known = made.get(name) as Promise<T> | undefined;
    const promise = known ?? make();
    made.set(name, promise);
    return promise;
  }

  async function send(
    given: Partial<Sent> & { path: string },
    authorization?: string | null,
  ): Promise<Exchange> {
    const { method = 'GET', body } = given;
    const path = given.path.replace(/^\/requests(?=\/|$)/, options.requestsPath);
    const headers = given.headers ?? (body === undefined ? {} : JSON_HEADERS);
    const own = typeof authorization === 'string' ? { authorization } : {};
    const request: SendRequest = {
      method,
      path,
      headers: { ...headers, ...own },
      authorize: authorization === undefined,
      // A create that is repeated would be answered with 409, a cancellation with 400.
      maxAttempts: method === 'GET' ? MAX_ATTEMPTS : 1,
      signal,
      ...(body !== undefined && { body }),
    };
    const answer = await sendUnlessAway(request);
    return exchangeOf({ method, path, headers: { ...headers, ...own }, body }, answer);
  }

  async function sendUnlessAway(request: SendRequest): Promise<RawAnswer> {
    if (unanswered >= MAX_UNANSWERED && !isAway) {
      isAway = !(await isThere());
      unanswered = 0;
    }
    if (isAway) {
      const message = 'not sent: the processor did not answer the calls before it';
      throw new UnavailableError(message, { operation: 'send' });
    }
    unanswered++;
    const answer = await sendUnlessBusy(request);
    unanswered = 0;
    return answer;
  }

  async function isThere(): Promise<boolean> {
    try {
      return (await client.send({ path: '/discovery', maxAttempts: 1, signal })).status !== 503;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ErasureError) return false;
      throw error;
    }
  }

  /** 429 says that nothing was done, so it can be sent again. What is busy still says nothing about a rule. */
  async function sendUnlessBusy(request: SendRequest): Promise<RawAnswer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await client.send(request);
      if (answer.status !== 429 && answer.status !== 503) return answer;
      if (answer.status === 503 || attempt === MAX_ATTEMPTS) {
        throw new UnavailableError(`the processor answers ${answer.status}`, { operation: 'send' });
      }
      const seconds = Number(answer.headers.get('retry-after')) || attempt;
      await options.wait(Math.min(seconds, MAX_WAIT_S) * 1000, signal);
    }
  }

  const discovery = () => once('discovery', () => send({ path: '/discovery' }));

  async function person(): Promise<TestIdentity> {
    const made = makePerson((await discovery()).json?.supported_identities);
    people.push(made.identity_value);
    return made;
  }

  async function create(changes: Readonly<Record<string, unknown>> = {}): Promise<Exchange> {
    const id = String(changes.subject_request_id ?? randomUUID());
    const body = {
      regulation: 'gdpr',
      subject_request_id: id,
      subject_request_type: 'erasure',
      submitted_time: new Date(now() - 60_000).toISOString(),
      subject_identities: [await person()],
      api_version: '2.0',
      ...changes,
    };
    // Also where it should be refused: it may have been stored all the same.
    ids.add(id);
    // Indented: in a copy that was parsed and written anew, these bytes differ.
    return send({ method: 'POST', path: '/requests', body: JSON.stringify(body, null, 1) });
  }

  const pathOf = (id: unknown) => `/requests/${encodeURIComponent(String(id))}`;
  const statusOf = (id: unknown) => send({ path: pathOf(id) });
  const cancel = (id: unknown) => send({ method: 'DELETE', path: pathOf(id) });
  const idIn = ({ sent }: Exchange) => JSON.parse(sent.body ?? '{}').subject_request_id;
  const created = () => once('created', create);
  const toCancel = () => once('to cancel', create);

  async function isGone(id: string): Promise<boolean> {
    const { answer, json } = await statusOf(id);
    // 400 too: ids that are none are among them.
    if ([400, 404].includes(answer.status) || json?.request_status === 'cancelled') return true;
    return (await cancel(id)).answer.status === 202;
  }

  async function cancelled(): Promise<Exchange> {
    const exchange = await toCancel();
    if (exchange.answer.status !== 201) throw new NotApplicable('no request could be created');
    return once('cancelled', () => cancel(idIn(exchange)));
  }

  return {
    baseUrl: new URL(options.baseUrl),
    now,
    send,
    token: options.token,
    create,
    created,
    statusOf,
    cancel,
    cancelled,
    people,
    ids,
    discovery,
    status: () => once('status', async () => statusOf(idIn(await created()))),
    async statusAfterCancel() {
      await cancelled();
      return once('status after', async () => statusOf(idIn(await toCancel())));
    },
    async cancelledAgain() {
      await cancelled();
      return once('cancelled again', async () => cancel(idIn(await toCancel())));
    },
    certificate: () => once('certificate', async () => options.loadCertificate(await discovery())),
    async cleanUp(cleaningSignal) {
      signal = cleaningSignal;
      const left: string[] = [];
      for (const id of ids) if (!(await isGone(id).catch(() => false))) left.push(id);
      // One may have been sent in two spellings.
      return [...new Map(left.map((id) => [id.toLowerCase(), id])).values()];
    },
  };
}

/** For identities of the other type. */
export const customerIdentity = () => ({
  identity_type: 'controller_customer_id',
  identity_value: `conformance-${randomUUID()}.invalid`,
  identity_format: 'raw',
});
