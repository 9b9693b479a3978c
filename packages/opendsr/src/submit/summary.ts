// What a run says at its end.
import type { ErasureError } from '@unwrite/client';
import type { Io } from '../io.ts';
import { isSubmitted, type Outcome } from './journal-lines.ts';

const SHOWN = 5;

export function createSummary(total: number) {
  const counts = { created: 0, stored_before: 0, failed: 0, invalid: 0, submitted_earlier: 0 };
  /** What processors said, which is withheld where it repeats an identity; the first of each kind. */
  const problems = new Map<string, number>();
  const failed = () => counts.failed + counts.invalid;
  const submitted = () => counts.created + counts.stored_before + counts.submitted_earlier;

  return {
    failed,
    done: () => submitted() + failed(),
    known: () => {
      counts.submitted_earlier++;
    },
    add(outcome: Outcome, error: ErasureError | undefined): void {
      counts[outcome.outcome]++;
      if (isSubmitted(outcome) || error === undefined) return;
      const known = problems.get(error.message);
      if (known !== undefined || problems.size < SHOWN) {
        problems.set(error.message, (known ?? 0) + 1);
      }
    },
    print(
      io: Io,
      end: {
        readonly problem: string | undefined;
        readonly results: string;
        readonly isJson: boolean;
      },
    ): void {
      const { problem, results } = end;
      if (end.isJson) {
        const shape = {
          total,
          submitted: submitted(),
          ...counts,
          results,
          problem: problem ?? null,
        };
        io.stdout.write(`${JSON.stringify(shape)}\n`);
        return;
      }
      const earlier =
        counts.submitted_earlier > 0
          ? ` (${counts.submitted_earlier} of them in earlier runs)`
          : '';
      const lines = [`${submitted()} of ${total} people are submitted${earlier}.`];
      if (failed() > 0) lines.push(`${failed()} are not:`);
      if (counts.invalid > 0) lines.push(`  ${counts.invalid} × the line cannot be sent`);
      for (const [message, count] of problems) lines.push(`  ${count} × ${message}`);
      lines.push(`Results: ${results}`);
      if (problem !== undefined) {
        lines.push(`Stopped: ${problem}`, 'Run the same command again to carry on.');
      }
      io.stdout.write(`${lines.join('\n')}\n`);
    },
  };
}
