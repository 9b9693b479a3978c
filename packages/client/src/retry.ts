// Repeats a request until there is an answer that repeating does not change.
import type { RawAnswer } from './answer.ts';
import { type Attempt, attemptOnce, type HttpRequest } from './attempt.ts';
import {
  ErasureError,
  type ErrorFacts,
  NoAnswerError,
  type Operation,
  UnexpectedAnswerError,
} from './errors.ts';
import type { Settings } from './options.ts';

const FIRST_DELAY_MS = 500;
const MAX_BYTES = 1 << 20;

export interface Authorize {
  /** The value of the Authorization header. */
  get(signal: AbortSignal | undefined): Promise<string>;
  /** The processor refused it; true if another one can be had. */
  refused(value: string): boolean;
}

export interface Call {
  readonly operation: Operation;
  readonly subjectRequestId?: string | undefined;
  readonly request: HttpRequest;
  /** Undefined: send no Authorization header. */
  readonly authorize: Authorize | undefined;
  readonly signal: AbortSignal | undefined;
  readonly maxAttempts?: number | undefined;
  readonly maxBytes?: number | undefined;
}

export interface Called {
  readonly answer: RawAnswer;
  /** An attempt before this answer may have been carried out: its answer was lost, or left it open. */
  readonly wasUnclear: boolean;
}

/** 408 and 429 say that nothing was done. The others come from a processor or gateway that may have done it. */
const isRetried = (status: number) => status === 408 || status === 429 || isUnclear(status);
const isUnclear = (status: number) => status === 502 || status === 503 || status === 504;

export async function callWithRetries(settings: Settings, call: Call): Promise<Called> {
  const { operation, subjectRequestId, signal } = call;
  const maxAttempts = call.maxAttempts ?? settings.maxAttempts;
  let wasUnclear = false;
  let isRenewed = false;
  for (let number = 1; ; ) {
    const authorization = await call.authorize?.get(signal).catch((error: unknown) => {
      throw wasUnclear ? ofUnclear(error, call) : error;
    });
    const attempt = await attemptAndTell(settings, call, number, authorization);
    if (attempt.outcome === 'too large') {
      throw new UnexpectedAnswerError('the answer of the processor is too large', {
        operation,
        subjectRequestId,
        outcomeUnknown: true,
      });
    }
    const answer = attempt.outcome === 'answer' ? attempt.answer : undefined;
    if (answer?.status === 401 && authorization !== undefined && !isRenewed) {
      isRenewed = true;
      // Not an attempt: a token that has expired says nothing about the processor.
      if (call.authorize?.refused(authorization)) continue;
    }
    if (answer !== undefined && !isRetried(answer.status)) return { answer, wasUnclear };
    const delayMs = delayAfter(number, answer, settings);
    if (number >= maxAttempts || delayMs > settings.maxDelayMs) {
      if (answer !== undefined) return { answer, wasUnclear };
      const { reason, maybeArrived } = attempt as Attempt & { outcome: 'no answer' };
      throw new NoAnswerError(
        `the processor did not answer (${reason}) in ${number} attempts; check the address and the network, then try again`,
        { operation, subjectRequestId, reason, outcomeUnknown: wasUnclear || maybeArrived },
      );
    }
    wasUnclear ||=
      attempt.outcome === 'no answer' ? attempt.maybeArrived : isUnclear(answer?.status ?? 0);
    settings.onEvent({
      type: 'retry',
      operation,
      subjectRequestId,
      attempt: ++number,
      delayMs,
    });
    await settings.clock.wait(delayMs, signal);
  }
}

/** No token, after an attempt that may have been carried out: the error is about that call then. */
function ofUnclear(error: unknown, { operation, subjectRequestId }: Call): unknown {
  if (!(error instanceof ErasureError)) return error;
  // A new one: other calls that wait for the same token get the same error.
  const Same = error.constructor as new (message: string, facts: ErrorFacts) => ErasureError;
  return new Same(error.message, { ...error, operation, subjectRequestId, outcomeUnknown: true });
}

async function attemptAndTell(
  settings: Settings,
  { operation, subjectRequestId, request, signal, maxBytes = MAX_BYTES }: Call,
  attempt: number,
  authorization: string | undefined,
): Promise<Attempt> {
  const started = settings.clock.now();
  const headers =
    authorization === undefined ? request.headers : { ...request.headers, authorization };
  const limits = { timeoutMs: settings.timeoutMs, maxBytes };
  const result = await attemptOnce(settings.fetch, { ...request, headers }, limits, signal);
  const facts = { operation, subjectRequestId, attempt };
  const durationMs = settings.clock.now() - started;
  if (result.outcome === 'answer') {
    const { status, requestId } = result.answer;
    settings.onEvent({ type: 'answer', ...facts, status, durationMs, requestId });
  } else {
    const reason = result.outcome === 'no answer' ? result.reason : 'too large';
    settings.onEvent({ type: 'no answer', ...facts, reason, durationMs });
  }
  return result;
}

/** At least what the processor asked for. Otherwise random, so that many callers do not come back together. */
function delayAfter(attempt: number, answer: RawAnswer | undefined, settings: Settings): number {
  const longest = Math.min(settings.maxDelayMs, FIRST_DELAY_MS * 2 ** (attempt - 1));
  const backoff = longest / 2 + (Math.random() * longest) / 2;
  const asked = answer === undefined ? undefined : retryAfter(answer, settings.clock.now());
  return Math.round(asked === undefined ? backoff : Math.max(asked, backoff));
}

/** Seconds, or a date by the clock of the processor; milliseconds from now. */
export function retryAfter({ headers }: RawAnswer, now: number): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  const sent = Date.parse(headers.get('date') ?? '') || now;
  return Number.isNaN(date) ? undefined : Math.max(0, date - sent);
}
