import type { QueueParts } from './queue.ts';

/** One that fails must not keep the others from being done. Answers whether any was due. */
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
