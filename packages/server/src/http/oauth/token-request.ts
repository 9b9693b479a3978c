// Reads a token request, in any of the accepted forms.
import { TokenError } from './token-error.ts';

const FIELDS = ['grant_type', 'client_id', 'client_secret', 'audience'] as const;

/** Four are known, and callers may send extensions. */
const MAX_FORM_FIELDS = 64;

export type TokenFields = Partial<Record<(typeof FIELDS)[number], string>>;

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export function fieldsFromJson(value: unknown): TokenFields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TokenError(400, 'invalid_request', 'The body must be a JSON object');
  }
  const fields: TokenFields = {};
  for (const name of FIELDS) {
    const field = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    if (field === undefined) continue;
    if (typeof field !== 'string') {
      throw new TokenError(400, 'invalid_request', `${name} must be a string`);
    }
    if (field !== '') fields[name] = field;
  }
  return fields;
}

export function fieldsFromForm(body: Buffer): TokenFields {
  const text = body.toString('latin1');
  if (!isWellEncoded(text)) {
    throw new TokenError(400, 'invalid_request', 'The form is not well encoded; send it in UTF-8');
  }
  // Counted before they are split: a hundred thousand fields would take a second.
  if (text.split('&', MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS) {
    throw new TokenError(400, 'invalid_request', `Send at most ${MAX_FORM_FIELDS} fields`);
  }
  const form = new URLSearchParams(text);
  const names = [...form.keys()];
  if (new Set(names).size < names.length) {
    throw new TokenError(400, 'invalid_request', 'A field is repeated; send each once');
  }
  const fields: TokenFields = {};
  for (const name of FIELDS) {
    // RFC 6749 3.2: a parameter without a value counts as not sent.
    const field = form.get(name);
    if (field) fields[name] = field;
  }
  return fields;
}

/** ASCII with complete escapes of valid UTF-8 and no NUL: the platform's decoder would repair anything else. */
function isWellEncoded(text: string): boolean {
  if (!/^[\x20-\x7e]*$/.test(text)) return false;
  try {
    return !decodeURIComponent(text.replaceAll('+', ' ')).includes('\0');
  } catch {
    return false;
  }
}

export interface BasicAttempt {
  readonly tried: boolean;
  readonly credentials: Credentials | undefined;
}

/** RFC 6749 2.3.1: both parts are form-encoded before they are joined and put into base64. */
export function readBasic(authorization: string | undefined): BasicAttempt {
  const [, encoded] = /^basic(?: (.*))?$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined || !/^[A-Za-z0-9+/=_-]*$/.test(encoded.trim()))
    return { tried: /^basic\b/i.test(authorization ?? ''), credentials: undefined };
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  if (colon < 1) return { tried: true, credentials: undefined };
  try {
    const clientId = decodeForm(text.slice(0, colon));
    const clientSecret = decodeForm(text.slice(colon + 1));
    return { tried: true, credentials: { clientId, clientSecret } };
  } catch {
    return { tried: true, credentials: undefined };
  }
}

function decodeForm(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

export function checkGrantType({ grant_type }: TokenFields): void {
  if (grant_type === undefined) {
    throw new TokenError(400, 'invalid_request', 'grant_type is missing; send client_credentials');
  }
  if (grant_type !== 'client_credentials') {
    throw new TokenError(400, 'unsupported_grant_type', 'grant_type must be client_credentials');
  }
}

/** Taken from Basic or from the body, never from both. */
export function credentialsOf(fields: TokenFields, basic: BasicAttempt): Credentials | undefined {
  if (!basic.tried) {
    const { client_id: clientId, client_secret: clientSecret } = fields;
    return clientId && clientSecret ? { clientId, clientSecret } : undefined;
  }
  if (fields.client_secret !== undefined) {
    throw new TokenError(
      400,
      'invalid_request',
      'The client secret is sent twice, by HTTP Basic and in the body; send it once',
    );
  }
  const { credentials } = basic;
  if (credentials && fields.client_id !== undefined && fields.client_id !== credentials.clientId) {
    throw new TokenError(
      400,
      'invalid_request',
      'client_id in the body differs from the one in HTTP Basic; send the same, or leave it out',
    );
  }
  return credentials;
}

export function checkAudience({ audience }: TokenFields, expected: string): void {
  if (audience === undefined) {
    throw new TokenError(400, 'invalid_request', `audience is missing; send ${expected}`);
  }
  if (audience !== expected) {
    throw new TokenError(
      400,
      'invalid_target',
      `This audience is not known here; send ${expected}`,
    );
  }
}
