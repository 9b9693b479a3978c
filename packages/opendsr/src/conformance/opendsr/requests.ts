import type { Check } from '../check.ts';
import { requireNoIdentities } from '../contract/errors.ts';
import { NotApplicable, Violation } from '../findings.ts';
import { idIn, requireStatus } from '../requirements.ts';

export const requestChecks: readonly Check[] = [
  {
    id: 'opendsr.create.extensions',
    clause: 'OpenDSR 7.1.2',
    level: 'MUST',
    rule: 'takes a request with extensions for other processors',
    run: async (kit) =>
      requireStatus(await kit.create({ extensions: { 'other.opendsr.invalid': { a: 1 } } }), 201),
  },
  {
    id: 'opendsr.errors.status',
    clause: 'OpenDSR 7.5',
    level: 'MUST',
    rule: 'answers a request without a required property with 400',
    run: async (kit) => requireStatus(await kit.create({ submitted_time: undefined }), 400),
  },
  {
    id: 'opendsr.errors.duplicate',
    clause: 'OpenDSR 7.5',
    level: 'MUST',
    rule: 'answers a second request with the same subject_request_id with 400, as every error of a create',
    async run(kit) {
      const again = await kit.create({ subject_request_id: idIn(await kit.created()) });
      if (again.answer.status < 400) throw new NotApplicable('it is accepted');
      requireStatus(again, 400);
    },
  },
  {
    id: 'opendsr.errors.object',
    clause: 'OpenDSR 7.5, 7.6',
    level: 'SHOULD',
    rule: 'describes an error in an error object',
    async run(kit) {
      const refusal = await kit.create({ submitted_time: undefined });
      const error = refusal.json?.error as { message?: unknown } | null | undefined;
      if (typeof error?.message === 'string' && error.message !== '') return;
      throw new Violation('error.message is missing', refusal);
    },
  },
  {
    id: 'opendsr.errors.code',
    clause: 'OpenDSR 7.6',
    level: 'MUST',
    rule: 'has the HTTP status as a number in error.code, where there is an error object',
    async run(kit) {
      const refusal = await kit.create({ submitted_time: undefined });
      const error = refusal.json?.error as { code?: unknown } | null | undefined;
      if (error === undefined || error === null)
        throw new NotApplicable('there is no error object');
      if (error.code === refusal.answer.status) return;
      throw new Violation(`error.code must be ${refusal.answer.status}`, refusal);
    },
  },
  {
    id: 'opendsr.errors.identities',
    clause: 'OpenDSR 7.6',
    level: 'MUST',
    rule: 'repeats no identity in an error',
    run: requireNoIdentities,
  },
  {
    id: 'opendsr.former_names',
    clause: 'OpenDSR 10.1',
    level: 'MUST',
    rule: 'honours the routes of OpenGDPR, such as /opengdpr_requests',
    async run(kit) {
      const id = idIn(await kit.created());
      requireStatus(await kit.send({ path: `/opengdpr_requests/${id}` }), 200);
    },
  },
];
