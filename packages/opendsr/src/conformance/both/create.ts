// What the texts say about answers to a create.
import type { Rule } from '../check.ts';
import { Violation } from '../findings.ts';
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
const CLOCKS_MS = 20 * 60_000;

const MEMBERS: Readonly<Record<string, Kind>> = {
  controller_id: 'string',
  expected_completion_time: 'time',
  received_time: 'time',
  encoded_request: 'base64',
};

const members = Object.entries(MEMBERS).map(
  ([name, kind]): Rule => ({
    name: `create.${name}`,
    contract: '2.3',
    opendsr: '7.3',
    rule: `has ${name} (${kind}) in the answer to a create`,
    run: async (kit) => requireMember(await kit.created(), 201, name, kind),
  }),
);

const headers = (['X-OpenDSR-Processor-Domain', 'X-OpenDSR-Signature'] as const).map(
  (name): Rule => ({
    name: `create.${name.toLowerCase()}`,
    contract: '4.2',
    rule: `has the header ${name} in the answer to a create`,
    run: async (kit) => void requireHeader(await kit.created(), 201, name),
  }),
);

export const createRules: readonly Rule[] = [
  {
    name: 'create.status',
    contract: '4.2',
    opendsr: '7.3',
    rule: 'answers a valid create with 201',
    run: async (kit) => requireStatus(await kit.created(), 201),
  },
  ...members,
  {
    name: 'create.processor_signature',
    contract: '2.3',
    rule: 'has the text not-yet-implemented in processor_signature of a create',
    run: async (kit) =>
      requireValue(await kit.created(), 201, 'processor_signature', 'not-yet-implemented'),
  },
  {
    name: 'create.processor_signature',
    opendsr: '7.3',
    rule: 'has processor_signature (base64) in the answer to a create',
    run: async (kit) => requireMember(await kit.created(), 201, 'processor_signature', 'base64'),
  },
  {
    name: 'create.subject_request_id',
    contract: '2.3',
    opendsr: '7.3',
    rule: 'gives back the subject_request_id that was submitted',
    async run(kit) {
      const created = await kit.created();
      requireValue(created, 201, 'subject_request_id', idIn(created));
    },
  },
  {
    name: 'create.encoded_bytes',
    contract: ['SHOULD', '2.3, 2.6'],
    opendsr: '7.3',
    rule: 'has in encoded_request the exact bytes of the request',
    async run(kit) {
      const created = await kit.created();
      const decoded = Buffer.from(String(bodyOf(created, 201).encoded_request), 'base64');
      if (decoded.toString() === created.sent.body) return;
      throw new Violation('encoded_request is not base64 of the body that was sent', created);
    },
  },
  {
    name: 'create.thirty_days',
    contract: ['SHOULD', '1, 8'],
    rule: 'expects to complete a request 30 days after it was received',
    async run(kit) {
      const created = await kit.created();
      const { received_time: from, expected_completion_time: to } = bodyOf(created, 201);
      const days = (Date.parse(String(to)) - Date.parse(String(from))) / DAY_MS;
      if (Math.abs(days - 30) <= 0.05) return;
      throw new Violation(`expected 30 days, got ${days.toFixed(2)}`, created);
    },
  },
  {
    name: 'create.received_now',
    contract: ['SHOULD', '2.3'],
    opendsr: ['SHOULD', '7.3'],
    rule: 'has in received_time when it received the request, with the time zone',
    async run(kit) {
      const from = kit.now();
      const created = await kit.create();
      const time = Date.parse(String(bodyOf(created, 201).received_time));
      // Clocks differ, but not by as much as time zones.
      if (time > from - CLOCKS_MS && time < kit.now() + CLOCKS_MS) return;
      throw new Violation('received_time is more than 20 minutes from the clock here', created);
    },
  },
  ...headers,
];
