import { DOMAIN_HEADER, SIGNATURE_HEADER, SIGNATURE_PLACEHOLDER } from '@unwrite/protocol';
import type { FastifyReply } from 'fastify';

/** On every 2xx of the four endpoints. Without a certificate there is nothing to sign with. */
export type SetProcessorHeaders = (reply: FastifyReply) => void;

export function createSetProcessorHeaders(domain: string): SetProcessorHeaders {
  const names = { domain: DOMAIN_HEADER.toLowerCase(), signature: SIGNATURE_HEADER.toLowerCase() };
  return (reply) => {
    reply.header(names.domain, domain).header(names.signature, SIGNATURE_PLACEHOLDER);
  };
}
