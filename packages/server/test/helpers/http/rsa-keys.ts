// Making an RSA key takes half a second: the identity providers of all tests of a process sign with the same few.
import { exportJWK, generateKeyPair, type JWK } from 'jose';

const made: Promise<JWK>[] = [];

/** The private key with this number, from 0 on. */
export function rsaKey(number: number): Promise<JWK> {
  made[number] ??= makeKey();
  return made[number];
}

async function makeKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return exportJWK(privateKey);
}
