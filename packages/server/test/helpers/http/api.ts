// Calls a running service as a controller does: real HTTP on loopback.

export interface Credentials {
  readonly controller_id: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly audience: string;
  readonly token_url: string;
  readonly base_url: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
  readonly body: any;
}

export async function call(
  url: string,
  init: RequestInit & { token?: string } = {},
): Promise<Answer> {
  const { token, ...rest } = init;
  const headers = new Headers(rest.headers);
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  const response = await fetch(url, { ...rest, headers, redirect: 'manual' });
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { status: response.status, headers: response.headers, text, body };
}

/** Text and bytes are sent as they are. */
export function postJson(
  url: string,
  body: unknown,
  token?: string,
  signal?: AbortSignal,
): Promise<Answer> {
  return call(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body),
    ...(token !== undefined && { token }),
    ...(signal !== undefined && { signal }),
  });
}

export async function getToken(credentials: Credentials): Promise<string> {
  const { client_id, client_secret, audience, token_url } = credentials;
  const answer = await postJson(token_url, {
    client_id,
    client_secret,
    audience,
    grant_type: 'client_credentials',
  });
  if (answer.status !== 200) throw new Error(`no token: ${answer.text}`);
  return answer.body.access_token;
}
