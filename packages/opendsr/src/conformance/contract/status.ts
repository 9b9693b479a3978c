import { randomUUID } from 'node:crypto';
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

const MEMBERS: Readonly<Record<string, Kind>> = {
  controller_id: 'string',
  expected_completion_time: 'time',
};

export const statusChecks: readonly Check[] = [
  {
    id: 'contract.status.status',
    clause: 'Contract 4.3',
    level: 'MUST',
    rule: 'answers the status of a request with 200',
    run: async (kit) => requireStatus(await kit.status(), 200),
  },
  ...Object.entries(MEMBERS).map(
    ([name, kind]): Check => ({
      id: `contract.status.${name}`,
      clause: 'Contract 2.4',
      level: 'MUST',
      rule: `has ${name} (${kind}) in the status`,
      run: async (kit) => requireMember(await kit.status(), 200, name, kind),
    }),
  ),
  {
    id: 'contract.status.subject_request_id',
    clause: 'Contract 2.4',
    level: 'MUST',
    rule: 'names the request in its status',
    run: async (kit) =>
      requireValue(await kit.status(), 200, 'subject_request_id', idIn(await kit.created())),
  },
  {
    id: 'contract.status.request_status',
    clause: 'Contract 2.4, 3',
    level: 'MUST',
    rule: 'has one of the four states in request_status',
    async run(kit) {
      const status = await kit.status();
      if (STATES.includes(String(bodyOf(status, 200).request_status))) return;
      throw new Violation(`request_status must be one of: ${STATES.join(', ')}`, status);
    },
  },
  {
    id: 'contract.status.api_version',
    clause: 'Contract 2.4, 9',
    level: 'MUST',
    rule: 'has api_version 2.0 in the status',
    run: async (kit) => requireValue(await kit.status(), 200, 'api_version', '2.0'),
  },
  {
    id: 'contract.status.same_controller',
    clause: 'Contract 2.4',
    level: 'MUST',
    rule: 'names the same controller in the status as in the answer to the create',
    async run(kit) {
      const { controller_id } = bodyOf(await kit.created(), 201);
      requireValue(await kit.status(), 200, 'controller_id', controller_id);
    },
  },
  {
    id: 'contract.status.same_time',
    clause: 'Contract 2.4, 8',
    level: 'SHOULD',
    rule: 'keeps expected_completion_time',
    async run(kit) {
      const { expected_completion_time: time } = bodyOf(await kit.created(), 201);
      requireValue(await kit.status(), 200, 'expected_completion_time', time);
    },
  },
  {
    id: 'contract.status.unknown',
    clause: 'Contract 4.3, 7',
    level: 'MUST',
    rule: 'answers the status of an unknown request with 404',
    run: async (kit) => requireStatus(await kit.statusOf(randomUUID()), 404),
  },
];
