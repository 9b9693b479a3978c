// Token requests in every way that clients send them.
import { type Answer, type Credentials, call } from './api.ts';

export type Format = 'json' | 'form';

const MEDIA_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
};

/** All that a token request needs; a test changes what it is about, undefined leaves a field out. */
export function tokenFields(
  credentials: Credentials,
  changes: Record<string, string | undefined> = {},
): Record<string, string> {
  const { client_id, client_secret, audience } = credentials;
  const fields = { client_id, client_secret, audience, grant_type: 'client_credentials' };
  return Object.fromEntries(
    Object.entries({ ...fields, ...changes }).filter(([, value]) => value !== undefined),
  ) as Record<string, string>;
}

export function basic(clientId: string, clientSecret: string): string {
  const text = [clientId, clientSecret].map(encodeURIComponent).join(':');
  return `Basic ${Buffer.from(text).toString('base64')}`;
}

export function postToken(
  url: string,
  format: Format,
  body: string | Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return call(`${url}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': MEDIA_TYPES[format], ...headers },
    body: typeof body === 'string' ? body : encode(format, body),
  });
}

export function encode(format: Format, fields: Record<string, string>): string {
  return format === 'json' ? JSON.stringify(fields) : new URLSearchParams(fields).toString();
}
