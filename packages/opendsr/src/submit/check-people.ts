// Reads the whole file before anything is sent: how many people it has, and which lines are wrong.
import { CommandFailure, EXIT, usageFailure } from '../failure.ts';
import type { Input } from '../people/open-input.ts';
import { type PeopleFormat, readPeople, UnreadableInput } from '../people/read-people.ts';

const SHOWN = 20;

export interface CheckedPeople {
  readonly total: number;
  readonly invalid: number;
}

export async function checkPeople(
  input: Input,
  format: PeopleFormat,
  maySkip: boolean,
): Promise<CheckedPeople> {
  const problems: string[] = [];
  let invalid = 0;
  let total = 0;
  try {
    for await (const person of readPeople(input.text(), format)) {
      total++;
      if (!('problem' in person)) continue;
      invalid++;
      if (problems.length < SHOWN) problems.push(`  line ${person.line} ${person.problem}`);
    }
  } catch (error) {
    if (!(error instanceof UnreadableInput)) throw error;
    throw usageFailure(`${input.name} cannot be read: ${error.message}. Nothing was sent`);
  }
  if (total === 0) throw usageFailure(`${input.name} names nobody`);
  if (invalid > 0 && !maySkip) {
    const more = invalid > SHOWN ? [`  and ${invalid - SHOWN} more`] : [];
    throw new CommandFailure(
      [
        `${invalid} of ${total} lines of ${input.name} cannot be sent; nothing was sent. Correct them, or use --skip-invalid:`,
        ...problems,
        ...more,
      ].join('\n'),
      EXIT.usage,
    );
  }
  return { total, invalid };
}
