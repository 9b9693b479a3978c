// Tokens that no honest issuer makes, and those that one would make with other claims.
import { type KeyObject, sign } from 'node:crypto';

export type Json = Record<string, unknown>;

export function encodePart(value: Json): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

export function decodePart(token: string, index: 0 | 1): Json {
  return JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString());
}

export function signWith(header: Json, claims: Json, signer: (signed: string) => Buffer): string {
  const signed = `${encodePart(header)}.${encodePart(claims)}`;
  return `${signed}.${signer(signed).toString('base64url')}`;
}

export function es256(privateKey: KeyObject): (signed: string) => Buffer {
  return (signed) =>
    sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
}
