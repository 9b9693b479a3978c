// Notes of operators end in evidence and receipts, which never hold an identity.
import type { Installation } from '../../app/service.ts';
import type { RequestKey } from '../../domain/request/request.ts';
import { openForRequest } from '../../operator/request-identities.ts';
import { usageFailure } from '../shared/failure.ts';

const MOST_CHARACTERS = 2000;
/** One or two characters are inside of every other word, and of "17(3)(e)": they count as words only. */
const SHORT = 2;

/** `texts`: by the option that they were given with. */
export async function refuseIdentitiesIn(
  texts: Readonly<Record<string, string>>,
  installation: Installation,
  request: RequestKey,
): Promise<void> {
  const values = (await openForRequest(installation, request)).map((it) =>
    it.reveal().toLowerCase(),
  );
  for (const [option, text] of Object.entries(texts)) {
    if (text.trim() === '') throw usageFailure(`${option} must not be empty`);
    if (text.length > MOST_CHARACTERS) {
      throw usageFailure(`${option} must have at most ${MOST_CHARACTERS} characters`);
    }
    if (values.some((value) => names(text.toLowerCase(), value))) {
      throw usageFailure(
        `${option} names the person; evidence and receipts must not. Say it without the identity`,
      );
    }
  }
}

function names(text: string, value: string): boolean {
  if (value.length > SHORT) return text.includes(value);
  const words = text.split(/\s+/).map((word) => word.replaceAll(/^\p{P}+|\p{P}+$/gu, ''));
  return words.includes(value);
}
