import { randomUUID } from 'node:crypto';
import type { Check } from '../check.ts';
import type { Exchange } from '../exchange.ts';
import { Violation } from '../findings.ts';
import type { Kit } from '../kit.ts';
import { idIn, requireErrorShape, requireJson } from '../requirements.ts';

const ERRORS: readonly [string, string, (kit: Kit) => Promise<Exchange>][] = [
  ['create_400', 'a create that is refused', (kit) => kit.create({ regulation: 'hipaa' })],
  [
    'create_json',
    'a body that is no JSON',
    (kit) => kit.send({ method: 'POST', path: '/requests', body: '{' }),
  ],
  [
    'create_409',
    'a second create',
    async (kit) => kit.create({ subject_request_id: idIn(await kit.created()) }),
  ],
  ['status_404', 'the status of an unknown request', (kit) => kit.statusOf(randomUUID())],
  ['cancel_404', 'the cancellation of an unknown request', (kit) => kit.cancel(randomUUID())],
  [
    'cancel_400',
    'the cancellation of a request that is not pending',
    (kit) => kit.cancelledAgain(),
  ],
  ['token_401', 'a call without a token', (kit) => kit.send({ path: '/discovery' }, null)],
];

export const errorChecks: readonly Check[] = [
  ...ERRORS.map(
    ([name, what, exchange]): Check => ({
      id: `contract.errors.${name}`,
      clause: 'Contract 7',
      level: 'MUST',
      rule: `answers ${what} in the error shape, with the HTTP status in error.code`,
      run: async (kit) => requireErrorShape(await exchange(kit)),
    }),
  ),
  {
    id: 'contract.errors.json',
    clause: 'Contract 1, 7',
    level: 'MUST',
    rule: 'answers errors as application/json',
    async run(kit) {
      for (const error of await errorsOf(kit)) requireJson(error);
    },
  },
  {
    id: 'contract.answers.json',
    clause: 'Contract 1',
    level: 'MUST',
    rule: 'answers successes as application/json',
    async run(kit) {
      const answers = [await kit.discovery(), await kit.created(), await kit.status()];
      for (const answer of answers) if (answer.answer.status < 300) requireJson(answer);
    },
  },
  {
    id: 'contract.errors.identities',
    clause: 'Contract 7; OpenDSR 7.6',
    level: 'MUST',
    rule: 'repeats no identity in an error',
    run: requireNoIdentities,
  },
  {
    id: 'contract.errors.other_requests',
    clause: 'Contract 7',
    level: 'SHOULD',
    rule: 'names no other request in an error',
    async run(kit) {
      for (const error of await errorsOf(kit)) {
        const text = error.text.toLowerCase();
        const other = [...kit.ids].find((id) => !isOf(error, id) && text.includes(id));
        if (other !== undefined) throw new Violation(`the error names ${other}`, error);
      }
    },
  },
];

export async function requireNoIdentities(kit: Kit): Promise<void> {
  for (const error of await errorsOf(kit)) {
    const text = error.text.toLowerCase();
    const isRepeated = kit.people.some((person) => text.includes(person.toLowerCase()));
    if (isRepeated) throw new Violation('the error repeats an identity of a request', error);
  }
}

async function errorsOf(kit: Kit): Promise<Exchange[]> {
  const refusal = await kit.create({ regulation: 'hipaa' });
  const again = await kit.create({ subject_request_id: idIn(await kit.created()) });
  const others = [await kit.statusOf(randomUUID()), await kit.cancel(randomUUID())];
  return [refusal, again, ...others].filter(({ answer }) => answer.status >= 400);
}

const isOf = ({ sent }: Exchange, id: string) => `${sent.path} ${sent.body}`.includes(id);
