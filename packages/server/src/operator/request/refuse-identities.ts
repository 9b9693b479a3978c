// Refuses operators' notes that contain an identity: notes become part of evidence and receipts, which must
// not.
import type { Identity } from '../../domain/request/identity.ts';
import type { RequestKey } from '../../domain/request/request.ts';
import { spells } from '../../domain/request/spells-identity.ts';
import { InvalidInput } from '../failures.ts';
import { type IdentityParts, identitiesOf } from './request-identities.ts';

const MAX_CHARACTERS = 2000;
/** One or two characters are part of many words and of "17(3)(e)": such identities must be whole words. */
const SHORT = 2;

/** `texts`: keyed by the field in which they were given. */
export async function refuseIdentitiesIn(
  texts: Readonly<Record<string, string>>,
  parts: IdentityParts,
  request: RequestKey,
): Promise<void> {
  refuseNamesIn(texts, await identitiesOf(parts, request));
}

export function refuseNamesIn(
  texts: Readonly<Record<string, string>>,
  identities: readonly Identity[],
): void {
  const values = identities.map((it) => it.reveal().toLowerCase());
  for (const [field, text] of Object.entries(texts)) {
    // Only blanks and invisible characters.
    if (/^[\p{Z}\p{C}]*$/u.test(text)) throw new InvalidInput(field, 'must not be empty');
    if (text.length > MAX_CHARACTERS) {
      throw new InvalidInput(field, `must have at most ${MAX_CHARACTERS} characters`);
    }
    if (values.some((value) => names(text.toLowerCase(), value))) {
      throw new InvalidInput(
        field,
        'names the person; evidence and receipts must not. Say it without the identity',
      );
    }
  }
}

function names(text: string, value: string): boolean {
  if (value.length > SHORT) return text.includes(value) || spells(text, value);
  const words = text.split(/\s+/).map((word) => word.replaceAll(/^\p{P}+|\p{P}+$/gu, ''));
  return words.includes(value);
}
