// A browser as far as signing in needs one: it keeps cookies, sends the CSRF token, and says where a call comes from.
import { type IncomingHttpHeaders, request } from 'node:http';

export interface BrowserAnswer {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  readonly setCookies: readonly string[];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
  readonly body: any;
}

export interface BrowserCall {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

export interface OperatorBrowser {
  /** By name; a test may put in what it likes. */
  readonly cookies: Map<string, string>;
  call(path: string, init?: BrowserCall): Promise<BrowserAnswer>;
  /** Signs in with the address that `unwrite console link` printed. */
  redeem(link: string): Promise<BrowserAnswer>;
  /** As the console does: with the token that the session gives. */
  post(path: string, body?: unknown, method?: string): Promise<BrowserAnswer>;
}

export function codeOf(link: string): string {
  return new URLSearchParams(new URL(link).hash.slice(1)).get('code') ?? '';
}

export function openBrowser(url: string): OperatorBrowser {
  const cookies = new Map<string, string>();
  const { host, origin } = new URL(url);

  async function call(path: string, init: BrowserCall = {}): Promise<BrowserAnswer> {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const headers: Record<string, string> = { host, ...(cookie === '' ? {} : { cookie }) };
    if (init.body !== undefined) headers['content-type'] = 'application/json';
    const body = init.body === undefined ? undefined : JSON.stringify(init.body);
    const answer = await send(new URL(path, url), init.method ?? 'GET', body, {
      ...headers,
      ...init.headers,
    });
    for (const line of answer.setCookies) keep(line);
    return answer;
  }

  function keep(line: string): void {
    const [pair = ''] = line.split(';', 1);
    const name = pair.slice(0, pair.indexOf('='));
    if (/max-age=0/i.test(line)) cookies.delete(name);
    else cookies.set(name, pair.slice(name.length + 1));
  }

  async function post(path: string, body?: unknown, method = 'POST'): Promise<BrowserAnswer> {
    const session = await call('/operator/v1/session');
    const headers: Record<string, string> = {
      origin,
      'sec-fetch-site': 'same-origin',
      'x-unwrite-csrf': String(session.body?.csrf_token),
    };
    return call(path, { method, headers, ...(body === undefined ? {} : { body }) });
  }

  return {
    cookies,
    call,
    post,
    redeem: (link) =>
      call('/operator/v1/sign-in/link', {
        method: 'POST',
        headers: { origin, 'sec-fetch-site': 'same-origin' },
        body: { code: codeOf(link) },
      }),
  };
}

/** Not `fetch`: that decides about Host and Origin by itself. */
function send(
  address: URL,
  method: string,
  body: string | undefined,
  headers: Record<string, string>,
): Promise<BrowserAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(address, { method, headers }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: incoming.statusCode ?? 0,
          headers: { get: (name) => headerOf(incoming.headers, name) },
          setCookies: incoming.headers['set-cookie'] ?? [],
          text,
          body: parsed(text),
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return value === undefined ? null : String(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
