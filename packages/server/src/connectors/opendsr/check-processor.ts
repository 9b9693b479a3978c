import { type CheckLine, TargetDown } from '../../domain/target/connector.ts';
import type { OpendsrTargetConfig } from '../../domain/target/target.ts';
import type { Processor } from './processor.ts';

/** Asks the other processor what it takes, and that it is not this one. */
export async function checkProcessor(
  { url, identities, signed, isShared }: OpendsrTargetConfig,
  processor: Processor,
  ownDomain: string,
): Promise<CheckLine[]> {
  const { host } = new URL(url);
  const lines: CheckLine[] = [];
  const add = (level: CheckLine['level'], subject: string, message: string) =>
    lines.push({ level, subject, message });
  if (isShared)
    add(
      'note',
      'tenancy',
      `people of all controllers are named to ${host} alike: it erases a person whom one of them asks for, also where it holds data for another`,
    );
  if (signed === null)
    add('note', 'signed', `signatures of ${host} are not checked; the evidence says so`);
  try {
    const { body, domain } = await processor.discover();
    add('ok', 'processor', `${host} answered discovery${signed === null ? '' : ', signed'}`);
    if (domain?.toLowerCase() === ownDomain.toLowerCase())
      add(
        'problem',
        'processor',
        `${host} says that it is ${ownDomain}, which is this processor; forward to another one, or set "domain" of each to its own name`,
      );
    if (body.supported_subject_request_types?.includes('erasure') !== true)
      add('problem', 'processor', `${host} does not say that it takes requests of type erasure`);
    for (const type of identities) {
      const isTaken = body.supported_identities.some(
        (it) => it.identity_type === type && it.identity_format === 'raw',
      );
      if (!isTaken)
        add(
          'problem',
          'identities',
          `${host} does not take the identity type ${type} (raw); leave it out of "identities"`,
        );
    }
  } catch (error) {
    if (!(error instanceof TargetDown)) throw error;
    add('problem', 'processor', error.message);
  }
  return lines;
}
