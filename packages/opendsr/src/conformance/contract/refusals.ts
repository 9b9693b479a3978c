// Creates that must be refused.
import { randomUUID } from 'node:crypto';
import type { Check } from '../check.ts';
import { Violation } from '../findings.ts';
import { idIn, requireStatus } from '../requirements.ts';

const identity = (changes: Record<string, unknown>) => ({
  subject_identities: [
    {
      identity_type: 'email',
      identity_value: `conformance-${randomUUID()}@opendsr.invalid`,
      identity_format: 'raw',
      ...changes,
    },
  ],
});

const REFUSED: readonly [string, string, string, () => Record<string, unknown>][] = [
  ['type', '1, 4.2', 'another subject_request_type', () => ({ subject_request_type: 'access' })],
  ['no_type', '2.1', 'no subject_request_type', () => ({ subject_request_type: undefined })],
  ['regulation', '2.1', 'another regulation', () => ({ regulation: 'hipaa' })],
  ['no_regulation', '2.1', 'no regulation', () => ({ regulation: undefined })],
  [
    'id',
    '2.1',
    'a subject_request_id that is no UUID',
    () => ({ subject_request_id: 'conformance-1' }),
  ],
  [
    'id_version',
    '2.1',
    'a subject_request_id of another version of UUID',
    () => ({ subject_request_id: randomUUID().replace(/^(.{14})4/, '$11') }),
  ],
  ['no_id', '2.1', 'no subject_request_id', () => ({ subject_request_id: undefined })],
  ['time', '2.1', 'a submitted_time that is no timestamp', () => ({ submitted_time: 'yesterday' })],
  [
    'time_date',
    '2.1',
    'a submitted_time on a day that does not exist',
    () => ({ submitted_time: '2026-02-30T00:00:00Z' }),
  ],
  ['no_time', '2.1', 'no submitted_time', () => ({ submitted_time: undefined })],
  ['identities', '2.1', 'subject_identities that are no array', () => ({ subject_identities: {} })],
  ['identity_type', '2.2', 'another identity_type', () => identity({ identity_type: 'phone' })],
  [
    'identity_format',
    '2.2',
    'another identity_format',
    () => identity({ identity_format: 'sha256' }),
  ],
  [
    'no_value',
    '2.2',
    'an identity without identity_value',
    () => identity({ identity_value: undefined }),
  ],
  ['value', '2.2', 'an identity_value that is no string', () => identity({ identity_value: 7 })],
  ['version', '2.1, 9', 'another api_version', () => ({ api_version: '3.0' })],
];

const refused = REFUSED.map(
  ([name, part, what, changes]): Check => ({
    id: `contract.create.refuses.${name}`,
    clause: `Contract ${part}, 7`,
    level: name === 'version' ? 'SHOULD' : 'MUST',
    rule: `answers ${what} with 400`,
    run: async (kit) => requireStatus(await kit.create(changes()), 400),
  }),
);

export const refusalChecks: readonly Check[] = [
  ...refused,
  {
    id: 'contract.create.refuses.json',
    clause: 'Contract 4.2, 7',
    level: 'MUST',
    rule: 'answers a body that is no JSON with 400',
    run: async (kit) =>
      requireStatus(
        await kit.send({ method: 'POST', path: '/requests', body: '{"regulation":' }),
        400,
      ),
  },
  {
    id: 'contract.create.duplicate',
    clause: 'Contract 4.2, 7',
    level: 'MUST',
    rule: 'answers a second create with the same subject_request_id with 409',
    async run(kit) {
      const subject_request_id = idIn(await kit.created());
      requireStatus(await kit.create({ subject_request_id }), 409);
    },
  },
  {
    id: 'contract.create.duplicate_case',
    clause: 'Contract 2.1, 4.2',
    level: 'MUST',
    rule: 'does not take a subject_request_id again in upper case: it is the same UUID',
    async run(kit) {
      const id = idIn(await kit.created());
      const again = await kit.create({ subject_request_id: id.toUpperCase() });
      if (again.answer.status >= 400) return;
      throw new Violation(`expected 409, got ${again.answer.status}`, again);
    },
  },
  {
    id: 'contract.create.refused_is_not_stored',
    clause: 'Contract 4.2, 4.3',
    level: 'MUST',
    rule: 'does not store a request that it refused',
    async run(kit) {
      const refusal = await kit.create({ regulation: 'hipaa' });
      const status = await kit.statusOf(idIn(refusal));
      if (refusal.answer.status >= 400 && status.answer.status !== 404) {
        throw new Violation(`expected 404 for its status, got ${status.answer.status}`, status);
      }
    },
  },
];
