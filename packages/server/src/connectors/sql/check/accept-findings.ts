import type { CheckLine } from '../../../domain/target/connector.ts';
import { OUTSIDE } from '../../../domain/target/outside.ts';
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
        note('accept', `${nameOf(finding)}, but nothing of the kind was found; remove the entry`),
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

/** Names of findings that begin so, without the beginning, which nothing accepts. */
export function openFindings(
  lines: readonly CheckLine[],
  accept: Accepted,
  beginning: string,
): string[] {
  const open = lines.flatMap((line) =>
    line.finding?.startsWith(beginning) === true && reasonFor(line, accept) === undefined
      ? [line.finding.slice(beginning.length)]
      : [],
  );
  return [...new Set(open)].toSorted();
}

function reasonFor({ finding }: CheckLine, accept: Accepted): string | undefined {
  return finding !== undefined && Object.hasOwn(accept, finding) ? accept[finding] : undefined;
}

function nameOf(finding: string): string {
  const { length } = OUTSIDE;
  return finding.startsWith(OUTSIDE)
    ? `"${finding.slice(length)}" is ignored`
    : `"${finding}" is accepted`;
}
