// Writes every 2xx answer of the four endpoints: the bytes that are sent are the bytes that are signed.
import type { ServerResponse } from 'node:http';
import { DOMAIN_HEADER, SIGNATURE_HEADER, SIGNATURE_PLACEHOLDER } from '@unwrite/protocol';
import type { ControllerId } from '../../domain/tenant/controller-id.ts';
import type { SendError } from '../errors.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import { writeJson } from '../write-json.ts';

export interface Signing {
  /** Calls back with the signature in base64; `isRepeatable`: the same text is likely to be signed again. */
  sign(
    text: string,
    isRepeatable: boolean,
    done: (error: Error | null, signature: string) => void,
  ): void;
  /** The certificate with its chain. */
  pem(): string;
}

export interface SendAnswerDeps {
  readonly domain: string;
  /** Undefined without a certificate. */
  readonly signing: Signing | undefined;
  readonly isClosing: () => boolean;
  readonly rateLimit: RateLimit;
  readonly sendError: SendError;
}

export type SendAnswer = (
  raw: ServerResponse,
  requestId: string,
  status: 200 | 201 | 202,
  controllerId: ControllerId,
  body: object,
  /** Called when the answer, or an error instead, was written. */
  written?: () => void,
) => void;

export function createSendAnswer(deps: SendAnswerDeps): SendAnswer {
  const { domain, signing, isClosing, rateLimit, sendError } = deps;

  return (raw, requestId, status, controllerId, body, written) => {
    // Slugs, UUIDs, timestamps, base64 and our own address: all ASCII.
    const text = JSON.stringify(body);
    const write = (signature: string) => {
      if (isClosing()) raw.shouldKeepAlive = false;
      const headers = [DOMAIN_HEADER, domain, SIGNATURE_HEADER, signature];
      writeJson(raw, status, requestId, text, [...headers, ...rateLimit.headers(controllerId)]);
      written?.();
    };
    if (signing === undefined) {
      write(SIGNATURE_PLACEHOLDER);
      return;
    }
    // Controllers poll, but each creation and cancellation is answered once.
    signing.sign(text, status === 200, (error, signature) => {
      if (error === null) {
        write(signature);
        return;
      }
      // Never without a signature: who verifies them would take it for forged.
      sendError(raw, requestId, error);
      written?.();
    });
  };
}
