// Parses compact JWTs, without trusting them yet.
import { isObject } from '../domain/is-object.ts';

export interface ParsedJwt {
  readonly header: Record<string, unknown>;
  readonly claims: Record<string, unknown>;
  readonly signed: string;
  readonly signature: Buffer;
}

const LONGEST = 16_384;

/** Undefined if the text is not exactly a compact JWT. */
export function parseJwt(token: string): ParsedJwt | undefined {
  if (token.length > LONGEST) return undefined;
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  const [header, claims, signature] = parts.map(decodePart);
  if (header === undefined || claims === undefined || signature === undefined) return undefined;
  const parsedHeader = parseObject(header);
  const parsedClaims = parseObject(claims);
  if (parsedHeader === undefined || parsedClaims === undefined) return undefined;
  return {
    header: parsedHeader,
    claims: parsedClaims,
    signed: token.slice(0, token.lastIndexOf('.')),
    signature,
  };
}

/** Canonical base64url only: Node ignores stray bits and characters, so two texts could be one token. */
function decodePart(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url');
  return bytes.toString('base64url') === part ? bytes : undefined;
}

function parseObject(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
