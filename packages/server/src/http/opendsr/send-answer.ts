// Every 2xx of the four endpoints. The bytes that go out are in one place, ready to be signed.
import type { ServerResponse } from 'node:http';
import { DOMAIN_HEADER, SIGNATURE_HEADER, SIGNATURE_PLACEHOLDER } from '@unwrite/protocol';
import { writeJson } from '../write-json.ts';

export type SendAnswer = (
  raw: ServerResponse,
  requestId: string,
  status: 200 | 201 | 202,
  body: object,
) => void;

export function createSendAnswer(domain: string, isClosing: () => boolean): SendAnswer {
  // Without a certificate there is nothing to sign with.
  const headers = [DOMAIN_HEADER, domain, SIGNATURE_HEADER, SIGNATURE_PLACEHOLDER];

  return (raw, requestId, status, body) => {
    if (isClosing()) raw.shouldKeepAlive = false;
    // Slugs, UUIDs, timestamps and base64: all ASCII.
    writeJson(raw, status, requestId, JSON.stringify(body), headers);
  };
}
