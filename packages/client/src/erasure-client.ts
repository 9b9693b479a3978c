import type {
  OpenDsrCancelled,
  OpenDsrCreated,
  OpenDsrDiscovery,
  OpenDsrRequest,
  OpenDsrRequestStatus,
  OpenDsrStatus,
  ReceiptDocument,
} from '@unwrite/protocol';
import { REQUEST_STATUSES } from '@unwrite/protocol';
import { type Answer, answerWith, type RawAnswer, readObject } from './answer.ts';
import {
  type ConflictError,
  NotFoundError,
  type Operation,
  UnexpectedAnswerError,
} from './errors.ts';
import { type ErasureClientOptions, readPath, readSettings, type Settings } from './options.ts';
import { errorOf } from './outcome-errors.ts';
import { type Authorize, type Called, callWithRetries } from './retry.ts';
import { createTokenSource } from './token-source.ts';
import { verifiedBy } from './verified-by.ts';
import { type WaitOptions, waitForStatus } from './wait-until.ts';

/** Receipts of requests with many targets are larger than other answers. */
const MAX_RECEIPT_BYTES = 16 << 20;

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export type ErasureRequest = Omit<
  OpenDsrRequest,
  'subject_request_id' | 'subject_request_type' | 'submitted_time'
> & {
  /** UUID version 4. Left out: a new one is made. */
  readonly subject_request_id?: string;
  readonly subject_request_type?: OpenDsrRequest['subject_request_type'];
  /** When the person asked. */
  readonly submitted_time: string | Date;
};

export interface SubmitOptions extends CallOptions {
  /**
   * This very request may have been sent before, by a process that did not get the answer: then 409 means that it is
   * stored. Only for ids that were never used for anything else.
   */
  readonly mayBeStored?: boolean;
}

export type Submitted =
  | {
      readonly outcome: 'created';
      readonly subjectRequestId: string;
      readonly answer: Answer<OpenDsrCreated>;
    }
  | {
      /** An earlier attempt was stored, and its answer was lost. */
      readonly outcome: 'stored_before';
      readonly subjectRequestId: string;
      readonly answer: Answer<OpenDsrStatus>;
    };

export type Cancelled =
  | { readonly outcome: 'cancelled'; readonly answer: Answer<OpenDsrCancelled> }
  | { readonly outcome: 'cancelled_before'; readonly answer: Answer<OpenDsrStatus> };

export interface SendRequest extends CallOptions {
  readonly method?: string;
  /** Below the base address, such as `/audit/head`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** False: without an Authorization header. */
  readonly authorize?: boolean;
  /** 1: not repeated. */
  readonly maxAttempts?: number;
}

export class ErasureClient {
  readonly #settings: Settings;
  readonly #authorize: Authorize;

  constructor(options: ErasureClientOptions) {
    this.#settings = readSettings(options);
    this.#authorize =
      'authorization' in options
        ? { get: async () => options.authorization(), refused: () => false }
        : createTokenSource(options, this.#settings, options.allowHttp);
  }

  async discover(options: CallOptions = {}): Promise<Answer<OpenDsrDiscovery>> {
    const called = await this.#call('discover', '/discovery', options);
    return this.#read<OpenDsrDiscovery>(
      called,
      'discover',
      200,
      ({ supported_identities: identities }) => Array.isArray(identities),
    );
  }

  async submit(request: ErasureRequest, options: SubmitOptions = {}): Promise<Submitted> {
    const subjectRequestId = request.subject_request_id ?? crypto.randomUUID();
    const body = JSON.stringify({
      ...request,
      subject_request_id: subjectRequestId,
      subject_request_type: request.subject_request_type ?? 'erasure',
      submitted_time:
        request.submitted_time instanceof Date
          ? request.submitted_time.toISOString()
          : request.submitted_time,
    });
    const secrets = (request.subject_identities ?? []).map((it) => String(it?.identity_value));
    const about = { subjectRequestId, secrets };
    const called = await this.#call('submit', this.#settings.requestsPath, options, {
      ...about,
      body,
    });
    // An id that was made here cannot be anyone else's. Another one is ours only if we have sent it before.
    const isOurs =
      request.subject_request_id === undefined || called.wasUnclear || options.mayBeStored === true;
    if (called.answer.status === 409 && isOurs) {
      const answer = await this.#ownStatus(called, subjectRequestId, options);
      return { outcome: 'stored_before', subjectRequestId, answer };
    }
    const isAbout = isAboutRequest(subjectRequestId);
    const full = await this.#read<OpenDsrCreated & { readonly encoded_request?: string }>(
      called,
      'submit',
      201,
      isAbout,
      about,
    );
    // It holds the identities, and a controller must not log or store it (OpenDSR 7.3).
    const { encoded_request: _, ...created } = full.body;
    return { outcome: 'created', subjectRequestId, answer: answerWith(full, created) };
  }

  async status(
    subjectRequestId: string,
    options: CallOptions = {},
  ): Promise<Answer<OpenDsrStatus>> {
    const about = { subjectRequestId };
    const called = await this.#call('status', this.#pathOf(subjectRequestId), options, about);
    const isAbout = isAboutRequest(subjectRequestId);
    return this.#read<OpenDsrStatus>(
      called,
      'status',
      200,
      (body) =>
        isAbout(body) && REQUEST_STATUSES.includes(body.request_status as OpenDsrRequestStatus),
      about,
    );
  }

  async cancel(subjectRequestId: string, options: CallOptions = {}): Promise<Cancelled> {
    const about = { subjectRequestId, method: 'DELETE' };
    const called = await this.#call('cancel', this.#pathOf(subjectRequestId), options, about);
    if (called.answer.status === 400) {
      // By an attempt whose answer was lost, here or in a proxy, or by an earlier call: it is what was asked for.
      const answer = await this.status(subjectRequestId, options).catch(() => undefined);
      options.signal?.throwIfAborted();
      if (answer?.body.request_status === 'cancelled')
        return { outcome: 'cancelled_before', answer };
    }
    const isAbout = isAboutRequest(subjectRequestId);
    const answer = await this.#read<OpenDsrCancelled>(called, 'cancel', 202, isAbout, about);
    return { outcome: 'cancelled', answer };
  }

  /** The receipt of a completed request, an extension of Unwrite. It is not verified: see `verifyReceipt`. */
  async receipt(
    subjectRequestId: string,
    options: CallOptions & { readonly number?: number } = {},
  ): Promise<Answer<ReceiptDocument>> {
    const path = `/receipts/${encodeURIComponent(subjectRequestId)}?no=${options.number ?? 1}`;
    const about = { subjectRequestId, maxBytes: MAX_RECEIPT_BYTES };
    const called = await this.#call('receipt', path, options, about);
    const isAbout = isAboutRequest(subjectRequestId);
    return this.#read<ReceiptDocument>(called, 'receipt', 200, isAbout, about);
  }

  /** Polls until the request has this status. */
  waitUntil(
    subjectRequestId: string,
    status: OpenDsrRequestStatus | readonly OpenDsrRequestStatus[],
    options: WaitOptions = {},
  ): Promise<Answer<OpenDsrStatus>> {
    const wanted = typeof status === 'string' ? [status] : status;
    const read = (signal: AbortSignal | undefined) =>
      this.status(subjectRequestId, signal === undefined ? {} : { signal });
    return waitForStatus(read, subjectRequestId, wanted, options, this.#settings.clock);
  }

  /** Any other call, and its answer whatever its status. It is retried like the others, and not verified. */
  async send(request: SendRequest): Promise<RawAnswer> {
    const { answer } = await callWithRetries(this.#settings, {
      operation: 'send',
      request: {
        url: `${this.#settings.baseUrl}${readPath('path', request.path)}`,
        method: request.method ?? 'GET',
        headers: { accept: 'application/json', ...request.headers },
        body: request.body,
      },
      authorize: request.authorize === false ? undefined : this.#authorize,
      signal: request.signal,
      maxAttempts: request.maxAttempts,
    });
    return answer;
  }

  #pathOf(subjectRequestId: string): string {
    return `${this.#settings.requestsPath}/${encodeURIComponent(subjectRequestId)}`;
  }

  #call(
    operation: Operation,
    path: string,
    { signal }: CallOptions,
    given: {
      readonly method?: string;
      readonly body?: string;
      readonly subjectRequestId?: string;
      readonly maxBytes?: number;
    } = {},
  ): Promise<Called> {
    const accept = { accept: 'application/json' };
    const { body, subjectRequestId, maxBytes } = given;
    return callWithRetries(this.#settings, {
      operation,
      subjectRequestId,
      request: {
        url: `${this.#settings.baseUrl}${path}`,
        method: given.method ?? (body === undefined ? 'GET' : 'POST'),
        headers: body === undefined ? accept : { ...accept, 'content-type': 'application/json' },
        body,
      },
      authorize: this.#authorize,
      signal,
      maxBytes,
    });
  }

  /** The JSON of a success; throws the error of any other answer. */
  async #read<Body>(
    { answer, wasUnclear }: Called,
    operation: Operation,
    expected: number,
    isValid: (body: Readonly<Record<string, unknown>>) => boolean,
    about: { readonly subjectRequestId?: string; readonly secrets?: readonly string[] } = {},
  ): Promise<Answer<Body>> {
    const { subjectRequestId, secrets = [] } = about;
    if (answer.status !== expected) {
      const now = this.#settings.clock.now();
      throw errorOf(answer, { operation, subjectRequestId, secrets, wasUnclear, now });
    }
    // A receipt has its own signature inside.
    if (operation !== 'receipt') {
      await verifiedBy(this.#settings.verify, answer, { operation, subjectRequestId });
    }
    const body = readObject(answer.bytes);
    if (body !== undefined && isValid(body)) return answerWith(answer, body as Body);
    throw new UnexpectedAnswerError(
      `the processor answers ${answer.status} without the JSON that OpenDSR demands; check baseUrl`,
      {
        operation,
        subjectRequestId,
        status: answer.status,
        requestId: answer.requestId,
        outcomeUnknown: true,
      },
    );
  }

  /** Of a request whose creation was answered with 409. */
  async #ownStatus(
    called: Called,
    subjectRequestId: string,
    options: SubmitOptions,
  ): Promise<Answer<OpenDsrStatus>> {
    const now = this.#settings.clock.now();
    const context = { operation: 'submit', subjectRequestId, secrets: [], now } as const;
    const conflict = errorOf(called.answer, { ...context, wasUnclear: called.wasUnclear });
    const answer = await this.status(subjectRequestId, options).catch((error: unknown) => {
      throw error instanceof NotFoundError ? conflict : error;
    });
    const isOver = answer.body.request_status === 'cancelled';
    // Nobody can have cancelled what was sent a moment ago: it is an earlier request, with the same id.
    if (isOver && !options.mayBeStored) throw conflict as ConflictError;
    return answer;
  }
}

/** Answers of others, such as a cache in between, are not taken for ours. */
function isAboutRequest(subjectRequestId: string) {
  const wanted = subjectRequestId.toLowerCase();
  return ({ subject_request_id: id }: Readonly<Record<string, unknown>>) =>
    typeof id === 'string' && id.toLowerCase() === wanted;
}
