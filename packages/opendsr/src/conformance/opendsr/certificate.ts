import type { Check } from '../check.ts';
import { NotApplicable, Violation } from '../findings.ts';
import type { Kit } from '../kit.ts';

/** The domain that the processor says it has: that of its headers, or of its address. */
async function domainOf(kit: Kit): Promise<string> {
  const { answer } = await kit.status();
  return answer.domain ?? kit.baseUrl.hostname;
}

export const certificateChecks: readonly Check[] = [
  {
    id: 'opendsr.certificate.download',
    clause: 'OpenDSR 6.3',
    level: 'MUST',
    rule: 'has an X.509 certificate at processor_certificate',
    async run(kit) {
      const { leaf } = await kit.certificate();
      if (leaf === undefined) {
        throw new Violation('what is there is not a certificate (PEM)', await kit.discovery());
      }
    },
  },
  {
    id: 'opendsr.certificate.domain',
    clause: 'OpenDSR 6.3',
    level: 'MUST',
    rule: 'has its certificate on the domain of discovery',
    async run(kit) {
      const { url } = await kit.certificate();
      if (url.hostname === kit.baseUrl.hostname) return;
      throw new Violation(
        `the certificate is on ${url.hostname}, and discovery on ${kit.baseUrl.hostname}`,
        await kit.discovery(),
      );
    },
  },
  {
    id: 'opendsr.certificate.self_signed',
    clause: 'OpenDSR 4.1',
    level: 'MUST',
    rule: 'does not use a self-signed certificate',
    async run(kit) {
      const { leaf } = await kit.certificate();
      if (leaf === undefined) throw new NotApplicable('there is no certificate');
      const isSelfSigned = leaf.checkIssued(leaf) && leaf.verify(leaf.publicKey);
      if (isSelfSigned) throw new Violation('the certificate has signed itself');
    },
  },
  {
    id: 'opendsr.certificate.trusted',
    clause: 'OpenDSR 4.1',
    level: 'MUST',
    rule: 'has a certificate for its domain from an authority that is trusted, valid now',
    async run(kit) {
      const { leaf, verify } = await kit.certificate();
      if (leaf === undefined) throw new NotApplicable('there is no certificate');
      const key = await verify(await domainOf(kit));
      if (typeof key === 'string') throw new Violation(key);
    },
  },
];
