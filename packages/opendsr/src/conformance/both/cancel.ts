// What the texts say about cancelling.
import { randomUUID } from 'node:crypto';
import type { Rule } from '../check.ts';
import type { Exchange } from '../exchange.ts';
import { NotApplicable } from '../findings.ts';
import type { Kit } from '../kit.ts';
import { type Kind, requireMember, requireStatus, requireValue } from '../requirements.ts';

const MEMBERS: Readonly<Record<string, Kind>> = { controller_id: 'string', received_time: 'time' };
const VALUES = { processor_signature: 'not-yet-implemented', api_version: '2.0' };

/** A processor may start a request at once: then nothing can be said about cancelling pending ones. */
async function cancelledPending(kit: Kit): Promise<Exchange> {
  const cancelled = await kit.cancelled();
  if (cancelled.answer.status === 202) return cancelled;
  const { json } = await kit.statusAfterCancel();
  const state = json?.request_status;
  if (state === 'in_progress' || state === 'completed') {
    throw new NotApplicable(`the request was ${state} before it could be cancelled`);
  }
  return cancelled;
}

export const cancelRules: readonly Rule[] = [
  {
    name: 'cancel.status',
    contract: '3, 4.4',
    opendsr: '9, 9.2',
    rule: 'answers the cancellation of a pending request with 202',
    run: async (kit) => requireStatus(await cancelledPending(kit), 202),
  },
  ...Object.entries(MEMBERS).map(
    ([name, kind]): Rule => ({
      name: `cancel.${name}`,
      contract: '2.5',
      opendsr: '9.2',
      rule: `has ${name} (${kind}) in the answer to a cancellation`,
      run: async (kit) => requireMember(await kit.cancelled(), 202, name, kind),
    }),
  ),
  ...Object.entries(VALUES).map(
    ([name, value]): Rule => ({
      name: `cancel.${name}`,
      contract: '2.5',
      rule: `has ${name} ${value} in the answer to a cancellation`,
      run: async (kit) => requireValue(await kit.cancelled(), 202, name, value),
    }),
  ),
  {
    name: 'cancel.processor_signature',
    opendsr: '9.2',
    rule: 'has processor_signature (base64) in the answer to a cancellation',
    run: async (kit) => requireMember(await kit.cancelled(), 202, 'processor_signature', 'base64'),
  },
  {
    name: 'cancel.subject_request_id',
    contract: '2.5',
    opendsr: '9.2',
    rule: 'names the request in the answer to its cancellation',
    async run(kit) {
      const cancelled = await kit.cancelled();
      requireValue(cancelled, 202, 'subject_request_id', cancelled.sent.path.split('/').at(-1));
    },
  },
  {
    name: 'cancel.state',
    contract: '3',
    opendsr: '8, 9',
    rule: 'shows cancelled after a cancellation',
    async run(kit) {
      requireStatus(await cancelledPending(kit), 202);
      const after = await kit.statusAfterCancel();
      requireStatus(after, 200);
      requireValue(after, 200, 'request_status', 'cancelled');
    },
  },
  {
    name: 'cancel.again',
    contract: '3, 4.4',
    rule: 'answers the cancellation of a request that is not pending with 400',
    run: async (kit) => requireStatus(await kit.cancelledAgain(), 400),
  },
  {
    name: 'cancel.unchanged',
    contract: '3',
    opendsr: '8, 9',
    rule: 'still shows cancelled after a second cancellation',
    async run(kit) {
      requireStatus(await cancelledPending(kit), 202);
      const again = await kit.cancelledAgain();
      const after = await kit.statusOf(again.sent.path.split('/').at(-1));
      requireValue(after, 200, 'request_status', 'cancelled');
    },
  },
  {
    name: 'cancel.unknown',
    contract: '4.4, 7',
    rule: 'answers the cancellation of an unknown request with 404',
    run: async (kit) => requireStatus(await kit.cancel(randomUUID()), 404),
  },
];
