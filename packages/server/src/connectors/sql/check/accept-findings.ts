import type { CheckLine } from '../../../domain/target/connector.ts';
import { note } from './line.ts';

type Accepted = Readonly<Record<string, string>>;

/**
 * Turns accepted findings into notes with the operator's reason; an entry that accepts nothing is reported.
 */
export function acceptFindings(lines: readonly CheckLine[], accept: Accepted): CheckLine[] {
  const found = new Set(lines.map(({ finding }) => finding));
  return [
    ...lines.map((line) => {
      const reason = reasonFor(line, accept);
      return reason === undefined
        ? line
        : note(line.subject, `accepted (${reason}): ${line.message}`);
    }),
    ...Object.keys(accept)
      .filter((finding) => !found.has(finding))
      .map((finding) =>
        note(
          'accept',
          `"${finding}" is accepted, but nothing of the kind was found; remove the entry`,
        ),
      ),
  ];
}

/** The accepted findings that apply. */
export function acceptedFindings(
  lines: readonly CheckLine[],
  accept: Accepted,
): Map<string, string> {
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const reason = reasonFor(line, accept);
      return reason === undefined || line.finding === undefined ? [] : [[line.finding, reason]];
    }),
  );
}

export function openProblems(lines: readonly CheckLine[], accept: Accepted): CheckLine[] {
  return lines.filter((line) => line.level === 'problem' && reasonFor(line, accept) === undefined);
}

function reasonFor({ finding }: CheckLine, accept: Accepted): string | undefined {
  return finding !== undefined && Object.hasOwn(accept, finding) ? accept[finding] : undefined;
}
