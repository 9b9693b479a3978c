import type { Check } from '../check.ts';
import { Violation } from '../findings.ts';
import { customerIdentity } from '../kit.ts';
import {
  bodyOf,
  idIn,
  type Kind,
  requireHeader,
  requireMember,
  requireStatus,
  requireValue,
} from '../requirements.ts';

const DAY_MS = 86_400_000;

const MEMBERS: Readonly<Record<string, Kind>> = {
  controller_id: 'string',
  expected_completion_time: 'time',
  received_time: 'time',
  encoded_request: 'base64',
};

const members = Object.entries(MEMBERS).map(
  ([name, kind]): Check => ({
    id: `contract.create.${name}`,
    clause: 'Contract 2.3',
    level: 'MUST',
    rule: `has ${name} (${kind}) in the answer to a create`,
    run: async (kit) => requireMember(await kit.created(), 201, name, kind),
  }),
);

const headers = (['X-OpenDSR-Processor-Domain', 'X-OpenDSR-Signature'] as const).map(
  (name): Check => ({
    id: `contract.create.${name.toLowerCase()}`,
    clause: 'Contract 4.2',
    level: 'MUST',
    rule: `has the header ${name} in the answer to a create`,
    run: async (kit) => void requireHeader(await kit.created(), 201, name),
  }),
);

/** Valid bodies beside the plain one. */
const ACCEPTED: readonly [string, string, string, () => Record<string, unknown>][] = [
  ['ccpa', '2.1', 'takes the regulation ccpa', () => ({ regulation: 'ccpa' })],
  [
    'customer_id',
    '2.2',
    'takes an identity of the type controller_customer_id',
    () => ({ subject_identities: [customerIdentity()] }),
  ],
  [
    'no_identities',
    '2.1',
    'takes a request without subject_identities',
    () => ({ subject_identities: undefined }),
  ],
  [
    'callbacks',
    '2.1, 6',
    'takes the field status_callback_urls',
    () => ({ status_callback_urls: ['https://callbacks.opendsr.invalid/'] }),
  ],
  ['no_version', '2.1', 'takes a request without api_version', () => ({ api_version: undefined })],
  [
    'offset',
    '2.1',
    'takes a submitted_time with an offset and a fraction',
    () => ({ submitted_time: '2026-01-31T23:59:59.123+05:30' }),
  ],
];

const accepted = ACCEPTED.map(
  ([name, part, rule, changes]): Check => ({
    id: `contract.create.accepts.${name}`,
    clause: `Contract ${part}`,
    level: 'MUST',
    rule,
    run: async (kit) => requireStatus(await kit.create(changes()), 201),
  }),
);

export const createChecks: readonly Check[] = [
  {
    id: 'contract.create.status',
    clause: 'Contract 4.2',
    level: 'MUST',
    rule: 'answers a valid create with 201',
    run: async (kit) => requireStatus(await kit.created(), 201),
  },
  ...members,
  {
    id: 'contract.create.subject_request_id',
    clause: 'Contract 2.3',
    level: 'MUST',
    rule: 'gives back the subject_request_id that was submitted',
    async run(kit) {
      const created = await kit.created();
      requireValue(created, 201, 'subject_request_id', idIn(created));
    },
  },
  {
    id: 'contract.create.processor_signature',
    clause: 'Contract 2.3',
    level: 'MUST',
    rule: 'has the text not-yet-implemented in processor_signature of a create',
    run: async (kit) =>
      requireValue(await kit.created(), 201, 'processor_signature', 'not-yet-implemented'),
  },
  {
    id: 'contract.create.thirty_days',
    clause: 'Contract 1, 8',
    level: 'SHOULD',
    rule: 'expects to complete a request 30 days after it was received',
    async run(kit) {
      const created = await kit.created();
      const { received_time: from, expected_completion_time: to } = bodyOf(created, 201);
      const days = (Date.parse(String(to)) - Date.parse(String(from))) / DAY_MS;
      if (Math.abs(days - 30) > 0.05) {
        throw new Violation(`expected 30 days, got ${days.toFixed(2)}`, created);
      }
    },
  },
  {
    id: 'contract.create.encoded_bytes',
    clause: 'Contract 2.3, 2.6',
    level: 'SHOULD',
    rule: 'has in encoded_request the exact bytes of the request',
    async run(kit) {
      const created = await kit.created();
      const decoded = Buffer.from(String(bodyOf(created, 201).encoded_request), 'base64');
      if (decoded.toString() !== created.sent.body) {
        throw new Violation('encoded_request is not base64 of the body that was sent', created);
      }
    },
  },
  ...headers,
  ...accepted,
];
