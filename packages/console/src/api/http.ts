// Calls of the operator API. The session is a cookie that scripts cannot read; calls that change something also
// carry the session's CSRF token.
import { t } from '../words/t.ts';
import { setClock } from './server-clock.ts';

const BASE = '/operator/v1';

interface Happened {
  readonly time: string;
  readonly actor: string;
  readonly action: string;
  readonly words: string;
}

/** Any answer that is not a success, with the server's message. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly happened: Happened | null;

  constructor(status: number, message: string, happened: Happened | null = null) {
    super(message);
    this.status = status;
    this.happened = happened;
  }
}

/** The server did not answer at all. */
const NO_ANSWER = 0;

/** `failed`: the server, or a proxy in front of it, answered that it is unavailable. */
export type Answer = 'answered' | 'failed' | 'none';
type Answered = (answer: Answer) => void;
const answered = new Set<Answered>();

/** Reports for every call how the server answered. Returns a function that stops it. */
export function onAnswered(listener: Answered): () => void {
  answered.add(listener);
  return () => answered.delete(listener);
}

const tellAnswered = (answer: Answer) => {
  for (const tell of answered) tell(answer);
};

interface SignedIn {
  readonly name: string;
  readonly role: string;
  readonly csrf_token: string | null;
}

let signedIn: SignedIn | undefined;

/** Remembers who is signed in. */
export function keepSignedIn(session: SignedIn): void {
  signedIn = session;
}

export function apiGet<T>(path: string, query: QueryValues = {}, signal?: AbortSignal): Promise<T> {
  return call<T>('GET', `${path}${queryString(query)}`, { signal: signal ?? null });
}

export interface ActionOptions {
  readonly body?: unknown;
  /** Version that the person saw when deciding: the server refuses if it has changed since. */
  readonly etag?: string | null;
  readonly method?: 'POST' | 'PATCH' | 'DELETE';
  readonly signal?: AbortSignal;
}

export async function apiAct<T>(path: string, options: ActionOptions = {}): Promise<T> {
  try {
    return await act<T>(path, options);
  } catch (error) {
    if (!(error instanceof ApiFailure && error.status === 403)) throw error;
    if (!(await hasOtherSession())) throw error;
    return act<T>(path, options);
  }
}

/**
 * Whether the same person has signed in again in another tab. All tabs share one session, and this page sent the
 * token of the previous one. If another person has signed in, the action is not repeated in their name.
 */
async function hasOtherSession(): Promise<boolean> {
  const before = signedIn;
  const now = await call<SignedIn>('GET', '/session', {});
  if (before === undefined || now.csrf_token === before.csrf_token) return false;
  if (now.name === before.name && now.role === before.role) {
    signedIn = now;
    return true;
  }
  throw new ApiFailure(403, t('failure.otherPerson', { name: now.name }));
}

function act<T>(path: string, options: ActionOptions): Promise<T> {
  const headers: Record<string, string> = {};
  if (signedIn?.csrf_token) headers['x-unwrite-csrf'] = signedIn.csrf_token;
  if (options.etag) headers['if-match'] = options.etag;
  const init: RequestInit = { headers, signal: options.signal ?? null };
  if (options.body !== undefined) {
    headers['content-type'] = 'application/json';
    init.body = JSON.stringify(options.body);
  }
  return call<T>(options.method ?? 'POST', path, init);
}

export type QueryValues = Readonly<Record<string, string | number | undefined>>;

function queryString(values: QueryValues): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

/**
 * This long after the last key or click, background calls do not count as use of the session. A screen reader's
 * click comes without a pointer and without a key.
 */
const IN_USE_MS = 30_000;
let lastUse = performance.now();
for (const event of ['pointerdown', 'keydown', 'wheel', 'click', 'input'] as const)
  addEventListener(event, () => (lastUse = performance.now()), { passive: true, capture: true });

function backgroundHeaders(): Record<string, string> {
  return performance.now() - lastUse > IN_USE_MS ? { 'x-unwrite-background': '1' } : {};
}

async function call<T>(method: string, path: string, init: RequestInit): Promise<T> {
  const answer = await fetch(`${BASE}${path}`, {
    ...init,
    headers: { ...(init.headers as Record<string, string>), ...backgroundHeaders() },
    method,
    credentials: 'same-origin',
    cache: 'no-store',
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    tellAnswered('none');
    throw new ApiFailure(NO_ANSWER, '');
  });
  tellAnswered(answer.status < 500 ? 'answered' : 'failed');
  setClock(answer.headers.get('date'));
  const body: unknown = await answer
    .text()
    .then(parseShown)
    .catch(() => null);
  if (answer.ok) return body as T;
  const { error, happened } = (body ?? {}) as {
    error?: { message?: string };
    happened?: Happened | null;
  };
  throw new ApiFailure(answer.status, error?.message ?? '', happened ?? null);
}

const TURNS_DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Names of tables, notes and reasons come from outside. Characters that change the writing direction would affect
 * the text after them, so they are shown as `\u202e`, as on the command line.
 */
function parseShown(json: string): unknown {
  const shown = json.replaceAll(
    TURNS_DIRECTION,
    (character) => `\\\\u${character.charCodeAt(0).toString(16)}`,
  );
  return JSON.parse(shown);
}

/** Address of an API resource, for a link that the browser follows itself. */
export function apiAddress(path: string, query: QueryValues = {}): string {
  return `${BASE}${path}${queryString(query)}`;
}

export function requestPath(controllerId: string, subjectRequestId: string): string {
  return `/requests/${encodeURIComponent(controllerId)}/${encodeURIComponent(subjectRequestId)}`;
}
