import { cancelledPending } from '../cancelled-pending.ts';
import type { Check } from '../check.ts';
import { Violation } from '../findings.ts';
import {
  bodyOf,
  idIn,
  type Kind,
  requireMember,
  requireStatus,
  requireValue,
} from '../requirements.ts';

const STATES = ['pending', 'in_progress', 'completed', 'cancelled'];

const STATUS: Readonly<Record<string, Kind>> = {
  controller_id: 'string',
  expected_completion_time: 'time',
};
const CANCELLED: Readonly<Record<string, Kind>> = {
  controller_id: 'string',
  received_time: 'time',
  processor_signature: 'base64',
};

export const lifecycleChecks: readonly Check[] = [
  {
    id: 'opendsr.status.status',
    clause: 'OpenDSR 8.1',
    level: 'MUST',
    rule: 'answers GET for a subject_request_id with 200',
    run: async (kit) => requireStatus(await kit.status(), 200),
  },
  ...Object.entries(STATUS).map(
    ([name, kind]): Check => ({
      id: `opendsr.status.${name}`,
      clause: 'OpenDSR 8.3',
      level: 'MUST',
      rule: `has ${name} (${kind}) in the status`,
      run: async (kit) => requireMember(await kit.status(), 200, name, kind),
    }),
  ),
  {
    id: 'opendsr.status.subject_request_id',
    clause: 'OpenDSR 8.3',
    level: 'MUST',
    rule: 'names the request in its status',
    run: async (kit) =>
      requireValue(await kit.status(), 200, 'subject_request_id', idIn(await kit.created())),
  },
  {
    id: 'opendsr.status.request_status',
    clause: 'OpenDSR 8, 8.3',
    level: 'MUST',
    rule: 'has one of the four statuses in request_status',
    async run(kit) {
      const status = await kit.status();
      if (STATES.includes(String(bodyOf(status, 200).request_status))) return;
      throw new Violation(`request_status must be one of: ${STATES.join(', ')}`, status);
    },
  },
  {
    id: 'opendsr.cancel.status',
    clause: 'OpenDSR 9, 9.2',
    level: 'MUST',
    rule: 'answers DELETE for a pending request with 202',
    run: async (kit) => requireStatus(await cancelledPending(kit), 202),
  },
  ...Object.entries(CANCELLED).map(
    ([name, kind]): Check => ({
      id: `opendsr.cancel.${name}`,
      clause: 'OpenDSR 9.2',
      level: 'MUST',
      rule: `has ${name} (${kind}) in the answer to a cancellation`,
      run: async (kit) => requireMember(await kit.cancelled(), 202, name, kind),
    }),
  ),
  {
    id: 'opendsr.cancel.subject_request_id',
    clause: 'OpenDSR 9.2',
    level: 'MUST',
    rule: 'names the request in the answer to its cancellation',
    async run(kit) {
      const cancelled = await kit.cancelled();
      requireValue(cancelled, 202, 'subject_request_id', cancelled.sent.path.split('/').at(-1));
    },
  },
  {
    id: 'opendsr.cancel.state',
    clause: 'OpenDSR 8, 9',
    level: 'MUST',
    rule: 'shows cancelled after a cancellation',
    async run(kit) {
      bodyOf(await cancelledPending(kit), 202);
      requireValue(await kit.statusAfterCancel(), 200, 'request_status', 'cancelled');
    },
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
