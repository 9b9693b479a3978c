// `unwrite erase-again`: after a target's backup was restored, or a target was added.
import type { Command } from 'commander';
import type { EraseAgainCounts } from '../../domain/request/forgetting-ports.ts';
import { planTask } from '../../fulfilment/start/plan-request.ts';
import { eraseAgain } from '../../operator/request/erase-again.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { counted, printJson, printLines } from '../shared/output.ts';
import { readSince, readUntil } from '../shared/read-time.ts';

interface Options {
  readonly target: string;
  readonly since: number;
  readonly until?: number;
  readonly controller?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function addEraseAgainCommand(program: Command): void {
  const again = program
    .command('erase-again')
    .description('Erase again what was erased at a target since a backup that was restored there')
    .requiredOption('--target <name>', 'The target')
    .requiredOption(
      '--since <time>',
      'When the backup was made: 2026-11-01, or with a time',
      readSince,
    )
    .option('--until <time>', 'Only requests that were erased there up to this time', readUntil)
    .option('--controller <controller_id>', 'Only those of this controller')
    .option('--dry-run', 'Only count the requests; changes nothing');
  withActor(withJson(withSettings(again))).action((options: Options) =>
    withInstallation(again, async ({ store }, { targets }) => {
      const { target, since, until, controller, dryRun: isDry = false, json } = options;
      const by = { actor: actorOf(again), now: store.clock() };
      const counts = await eraseAgain(
        { store, targets, planTask },
        { target, since, until, controller, isDry },
        by,
      );
      if (json) {
        const { runs, shredded, open, nobody } = counts;
        printJson({ target, dry_run: isDry, runs, shredded, open, nobody });
      } else printLines(...linesOf(counts, isDry));
    }),
  );
}

function linesOf({ runs, shredded, open, nobody }: EraseAgainCounts, isDry: boolean): string[] {
  const what = counted(runs, 'request');
  const lines = [
    isDry ? `${what} would be erased again.` : `${what} will be erased again by the server.`,
  ];
  if (shredded > 0) {
    lines.push(
      `${counted(shredded, 'request')} cannot be erased again: the identities are shredded (retention.identities). Erase what came back by hand, or restore a newer backup.`,
    );
  }
  if (open > 0) {
    lines.push(`${counted(open, 'request')} skipped: a task at this target is still open.`);
  }
  if (nobody > 0) lines.push(`${counted(nobody, 'request')} skipped: no identities.`);
  return lines;
}
