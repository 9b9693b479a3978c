// Valid bodies beside the plain one.
import type { Check } from '../check.ts';
import { customerIdentity } from '../kit.ts';
import { requireStatus } from '../requirements.ts';

const ACCEPTED: readonly [string, string, string, () => Record<string, unknown>][] = [
  ['ccpa', '2.1', 'takes the regulation ccpa', () => ({ regulation: 'ccpa' })],
  [
    'customer_id',
    '2.2',
    'takes an identity of the type controller_customer_id',
    () => ({ subject_identities: [customerIdentity()] }),
  ],
  [
    'two_identities',
    '2.1',
    'takes a request with two identities',
    () => ({ subject_identities: [customerIdentity(), customerIdentity()] }),
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

export const acceptedChecks = ACCEPTED.map(
  ([name, part, rule, changes]): Check => ({
    id: `contract.create.accepts.${name}`,
    clause: `Contract ${part}`,
    level: 'MUST',
    rule,
    run: async (kit) => requireStatus(await kit.create(changes()), 201),
  }),
);
