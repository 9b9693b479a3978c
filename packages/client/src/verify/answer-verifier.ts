// For `verify` of the client, and for callbacks, where the public key is known.
import { SIGNATURE_PLACEHOLDER } from '@unwrite/protocol';
import type { SignedAnswer } from '../answer.ts';
import { NotVerifiedError } from './not-verified.ts';
import { importPublicKey, type PublicKey } from './public-key.ts';
import { verifySignature } from './signature.ts';

/** Rejects with NotVerifiedError unless the answer is of this domain and signed with this key. */
export function createAnswerVerifier(options: {
  readonly publicKey: PublicKey | string;
  readonly domain: string;
}): (answer: SignedAnswer) => Promise<void> {
  const { publicKey } = options;
  let key = typeof publicKey === 'string' ? undefined : publicKey;
  return async (answer) => {
    const { domain, signature } = readSigned(answer);
    if (domain !== options.domain.toLowerCase()) {
      throw new NotVerifiedError(
        `its domain is not ${options.domain} (X-OpenDSR-Processor-Domain)`,
      );
    }
    key ??= await importPublicKey(publicKey as string);
    if (!(await verifySignature(answer.bytes, signature, key))) throw wrongSignature();
  };
}

export function readSigned({ domain, signature }: SignedAnswer): {
  readonly domain: string;
  readonly signature: string;
} {
  if (domain === undefined || signature === undefined) {
    throw new NotVerifiedError(
      'it is not signed: X-OpenDSR-Processor-Domain or X-OpenDSR-Signature is missing',
    );
  }
  if (signature === SIGNATURE_PLACEHOLDER) {
    throw new NotVerifiedError(
      `it is not signed: X-OpenDSR-Signature is ${SIGNATURE_PLACEHOLDER}, so the processor has no certificate`,
    );
  }
  return { domain: domain.toLowerCase(), signature };
}

export const wrongSignature = () =>
  new NotVerifiedError(
    'its signature was not made with the key, or the body was changed on the way',
  );
