// Writes every 2xx answer of the four endpoints: the bytes are made in one place, ready to be signed.
import type { ServerResponse } from 'node:http';
import { DOMAIN_HEADER, SIGNATURE_HEADER, SIGNATURE_PLACEHOLDER } from '@unwrite/protocol';
import type { ControllerId } from '../../domain/tenant/controller-id.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import { writeJson } from '../write-json.ts';

export type SendAnswer = (
  raw: ServerResponse,
  requestId: string,
  status: 200 | 201 | 202,
  controllerId: ControllerId,
  body: object,
) => void;

export function createSendAnswer(
  domain: string,
  isClosing: () => boolean,
  rateLimit: RateLimit,
): SendAnswer {
  // There is no certificate to sign with, so the signature is a placeholder.
  const headers = [DOMAIN_HEADER, domain, SIGNATURE_HEADER, SIGNATURE_PLACEHOLDER];

  return (raw, requestId, status, controllerId, body) => {
    if (isClosing()) raw.shouldKeepAlive = false;
    // Slugs, UUIDs, timestamps and base64: all ASCII.
    const limits = rateLimit.headers(controllerId);
    writeJson(raw, status, requestId, JSON.stringify(body), [...headers, ...limits]);
  };
}
