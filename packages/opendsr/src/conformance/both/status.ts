// What the texts say about the status of a request.
import { randomUUID } from 'node:crypto';
import type { Rule } from '../check.ts';
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

export const statusRules: readonly Rule[] = [
  {
    name: 'status.status',
    contract: '4.3',
    opendsr: '8.1',
    rule: 'answers the status of a request with 200',
    run: async (kit) => requireStatus(await kit.status(), 200),
  },
  ...Object.entries(MEMBERS).map(
    ([name, kind]): Rule => ({
      name: `status.${name}`,
      contract: '2.4',
      opendsr: '8.3',
      rule: `has ${name} (${kind}) in the status`,
      run: async (kit) => requireMember(await kit.status(), 200, name, kind),
    }),
  ),
  {
    name: 'status.subject_request_id',
    contract: '2.4',
    opendsr: '8.3',
    rule: 'names the request in its status',
    run: async (kit) =>
      requireValue(await kit.status(), 200, 'subject_request_id', idIn(await kit.created())),
  },
  {
    name: 'status.request_status',
    contract: '2.4, 3',
    opendsr: '8, 8.3',
    rule: 'has one of the four states in request_status',
    async run(kit) {
      const status = await kit.status();
      if (STATES.includes(String(bodyOf(status, 200).request_status))) return;
      throw new Violation(`request_status must be one of: ${STATES.join(', ')}`, status);
    },
  },
  {
    name: 'status.api_version',
    contract: '2.4, 9',
    rule: 'has api_version 2.0 in the status',
    run: async (kit) => requireValue(await kit.status(), 200, 'api_version', '2.0'),
  },
  {
    name: 'status.same_controller',
    contract: '2.4',
    rule: 'names the same controller in the status as in the answer to the create',
    async run(kit) {
      const { controller_id } = bodyOf(await kit.created(), 201);
      requireValue(await kit.status(), 200, 'controller_id', controller_id);
    },
  },
  {
    name: 'status.same_time',
    contract: ['SHOULD', '2.4, 8'],
    rule: 'keeps expected_completion_time',
    async run(kit) {
      const { expected_completion_time: time } = bodyOf(await kit.created(), 201);
      requireValue(await kit.status(), 200, 'expected_completion_time', time);
    },
  },
  {
    name: 'status.unknown',
    contract: '4.3, 7',
    rule: 'answers the status of an unknown request with 404',
    run: async (kit) => requireStatus(await kit.statusOf(randomUUID()), 404),
  },
  {
    name: 'status.no_uuid',
    contract: '4.3, 7',
    rule: 'answers the status of an id that is no UUID with 404 (or 400)',
    run: async (kit) => requireStatus(await kit.statusOf('conformance-1'), 404, 400),
  },
];
