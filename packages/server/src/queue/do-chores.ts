import type { QueueParts } from './queue.ts';

/** A chore that fails does not stop the others. Returns whether any was due. */
export async function doChores(
  { chores, clock, report }: Pick<QueueParts, 'chores' | 'clock' | 'report'>,
  mayGoOn: () => boolean = () => true,
): Promise<boolean> {
  let anyDue = false;
  for (const chore of chores) {
    if (!mayGoOn()) break;
    try {
      if (!(await chore.isDue(clock()))) continue;
      anyDue = true;
      await chore.run(clock());
    } catch (error) {
      report.trouble(chore.name, error);
    }
  }
  return anyDue;
}
