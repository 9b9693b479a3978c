import { verifySignature } from '@unwrite/client';
import type { Check } from '../check.ts';
import type { Exchange } from '../exchange.ts';
import { NotApplicable, Violation } from '../findings.ts';
import type { Kit } from '../kit.ts';
import { requireHeader } from '../requirements.ts';

const ANSWERS: readonly [string, string, number, (kit: Kit) => Promise<Exchange>][] = [
  ['create', '3.1, 7.4', 201, (kit) => kit.created()],
  ['status', '8.3', 200, (kit) => kit.status()],
  ['cancel', '3.1, 9.3', 202, (kit) => kit.cancelled()],
];

async function requireSigned(kit: Kit, exchange: Exchange, status: number): Promise<void> {
  const signature = requireHeader(exchange, status, 'X-OpenDSR-Signature');
  const domain = requireHeader(exchange, status, 'X-OpenDSR-Processor-Domain');
  const key = await (await kit.certificate()).verify(domain);
  // Why it is not trusted is another check.
  if (typeof key === 'string') throw new NotApplicable(`there is no key to verify with: ${key}`);
  if (await verifySignature(exchange.answer.bytes, signature, key)) return;
  throw new Violation(
    'X-OpenDSR-Signature is not a signature of the body (SHA-256, PKCS#1 v1.5 or ECDSA) by the certificate',
    exchange,
  );
}

export const signatureChecks: readonly Check[] = ANSWERS.flatMap(([name, section, status, get]) => [
  {
    id: `opendsr.${name}.domain`,
    clause: `OpenDSR ${section}`,
    level: 'MUST',
    rule: `names in X-OpenDSR-Processor-Domain of ${name} the domain on which requests are received`,
    async run(kit: Kit) {
      const exchange = await get(kit);
      const domain = requireHeader(exchange, status, 'X-OpenDSR-Processor-Domain');
      if (domain.toLowerCase() === kit.baseUrl.hostname) return;
      throw new Violation(`it is ${domain}, and requests go to ${kit.baseUrl.hostname}`, exchange);
    },
  },
  {
    id: `opendsr.${name}.signature`,
    clause: `OpenDSR ${section}`,
    level: 'MUST',
    rule: `signs the answer to ${name} in X-OpenDSR-Signature`,
    run: async (kit: Kit) => requireSigned(kit, await get(kit), status),
  },
]);
