import { randomUUID } from 'node:crypto';
import { cancelledPending } from '../cancelled-pending.ts';
import type { Check } from '../check.ts';
import { type Kind, requireMember, requireStatus, requireValue } from '../requirements.ts';

const MEMBERS: Readonly<Record<string, Kind>> = { controller_id: 'string', received_time: 'time' };
const VALUES = { processor_signature: 'not-yet-implemented', api_version: '2.0' };

export const cancelChecks: readonly Check[] = [
  {
    id: 'contract.cancel.status',
    clause: 'Contract 3, 4.4',
    level: 'MUST',
    rule: 'answers the cancellation of a pending request with 202',
    run: async (kit) => requireStatus(await cancelledPending(kit), 202),
  },
  ...Object.entries(MEMBERS).map(
    ([name, kind]): Check => ({
      id: `contract.cancel.${name}`,
      clause: 'Contract 2.5',
      level: 'MUST',
      rule: `has ${name} (${kind}) in the answer to a cancellation`,
      run: async (kit) => requireMember(await kit.cancelled(), 202, name, kind),
    }),
  ),
  ...Object.entries(VALUES).map(
    ([name, value]): Check => ({
      id: `contract.cancel.${name}`,
      clause: 'Contract 2.5',
      level: 'MUST',
      rule: `has ${name} ${value} in the answer to a cancellation`,
      run: async (kit) => requireValue(await kit.cancelled(), 202, name, value),
    }),
  ),
  {
    id: 'contract.cancel.subject_request_id',
    clause: 'Contract 2.5',
    level: 'MUST',
    rule: 'names the request in the answer to its cancellation',
    async run(kit) {
      const cancelled = await kit.cancelled();
      requireValue(cancelled, 202, 'subject_request_id', cancelled.sent.path.split('/').at(-1));
    },
  },
  {
    id: 'contract.cancel.state',
    clause: 'Contract 3',
    level: 'MUST',
    rule: 'shows cancelled after a cancellation',
    async run(kit) {
      requireStatus(await cancelledPending(kit), 202);
      requireValue(await kit.statusAfterCancel(), 200, 'request_status', 'cancelled');
    },
  },
  {
    id: 'contract.cancel.again',
    clause: 'Contract 3, 4.4',
    level: 'MUST',
    rule: 'answers the cancellation of a request that is not pending with 400',
    run: async (kit) => requireStatus(await kit.cancelledAgain(), 400),
  },
  {
    id: 'contract.cancel.unknown',
    clause: 'Contract 4.4, 7',
    level: 'MUST',
    rule: 'answers the cancellation of an unknown request with 404',
    run: async (kit) => requireStatus(await kit.cancel(randomUUID()), 404),
  },
];
