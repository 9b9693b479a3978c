import type { Check } from '../check.ts';
import { Violation } from '../findings.ts';
import { bodyOf, requireMember, requireStatus, requireValue } from '../requirements.ts';

const identities = (['email', 'controller_customer_id'] as const).map(
  (type): Check => ({
    id: `contract.discovery.${type}`,
    clause: 'Contract 1, 4.1',
    level: 'MUST',
    rule: `lists ${type}/raw in supported_identities`,
    async run(kit) {
      const discovery = await kit.discovery();
      requireMember(discovery, 200, 'supported_identities', 'array');
      const listed = bodyOf(discovery, 200).supported_identities as Record<string, unknown>[];
      const isListed = listed.some(
        (it) => it?.identity_type === type && it?.identity_format === 'raw',
      );
      if (!isListed) throw new Violation(`${type} with the format raw is not listed`, discovery);
    },
  }),
);

export const discoveryChecks: readonly Check[] = [
  {
    id: 'contract.discovery.status',
    clause: 'Contract 4.1',
    level: 'MUST',
    rule: 'answers GET /discovery with 200',
    run: async (kit) => requireStatus(await kit.discovery(), 200),
  },
  {
    id: 'contract.discovery.api_version',
    clause: 'Contract 4.1, 9',
    level: 'MUST',
    rule: 'has api_version 2.0 in discovery',
    run: async (kit) => requireValue(await kit.discovery(), 200, 'api_version', '2.0'),
  },
  ...identities,
  {
    id: 'contract.discovery.erasure',
    clause: 'Contract 1, 4.1',
    level: 'MUST',
    rule: 'lists erasure in supported_subject_request_types',
    async run(kit) {
      const discovery = await kit.discovery();
      const name = 'supported_subject_request_types';
      requireMember(discovery, 200, name, 'array');
      const listed = bodyOf(discovery, 200)[name] as unknown[];
      if (!listed.includes('erasure')) throw new Violation('erasure is not listed', discovery);
    },
  },
];
