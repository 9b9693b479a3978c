// `unwrite erase-again`: after a target's backup was restored, or a target was added.
import type { Command } from 'commander';
import type { Config } from '../../config/config.ts';
import type { EraseAgainCounts, EraseAgainQuery } from '../../domain/request/forgetting-ports.ts';
import type { Store } from '../../domain/store/store.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import { planTask } from '../../fulfilment/start/plan-request.ts';
import { existingController } from '../controller/existing-controller.ts';
import { CommandFailure, usageFailure } from '../shared/failure.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { counted, printJson, printLines } from '../shared/output.ts';
import { readSince, readUntil } from '../shared/read-time.ts';
import { noSuchTarget } from '../target/existing-target.ts';

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
    .description('Erase once more what was erased at a target since then: its backup was restored')
    .requiredOption('--target <name>', 'The target')
    .requiredOption(
      '--since <time>',
      'When the backup was made: 2026-11-01, or with a time',
      readSince,
    )
    .option('--until <time>', 'Only requests that were done until then', readUntil)
    .option('--controller <controller_id>', 'Only those of this controller')
    .option('--dry-run', 'Only say how many');
  withActor(withJson(withSettings(again))).action((options: Options) =>
    withInstallation(again, async ({ store }, config) => {
      const now = store.clock();
      const target = targetOf(options.target, config);
      const query = await queryOf(options, target, store, now);
      const counts = await store.forgetting.countEraseAgain(query);
      const by = { actor: actorOf(again), now };
      const runs = options.dryRun
        ? counts.runs
        : await store.forgetting.eraseAgain(query, planTask(target), by);
      if (options.json) {
        const { shredded, open, nobody } = counts;
        const dry = options.dryRun ?? false;
        printJson({ target: target.name, dry_run: dry, runs, shredded, open, nobody });
      } else printLines(...linesOf({ ...counts, runs }, options.dryRun ?? false));
    }),
  );
}

function targetOf(name: string, { targets }: Config): TargetConfig {
  const found = targets.find((target) => target.name === name);
  if (found === undefined) throw noSuchTarget(name, targets);
  return found;
}

async function queryOf(
  options: Options,
  { name, controllers }: TargetConfig,
  store: Store,
  now: number,
): Promise<EraseAgainQuery> {
  const end = options.until ?? now;
  if (end < options.since) throw usageFailure('--until must not be before --since');
  const range = { target: name, since: options.since, until: end };
  if (options.controller === undefined) return { ...range, controllers };
  const { controllerId } = await existingController(store.tenants, options.controller);
  if (controllers !== null && !controllers.includes(controllerId)) {
    throw new CommandFailure(`the target ${name} is not for the controller ${controllerId}`);
  }
  return { ...range, controllers: [controllerId] };
}

function linesOf({ runs, shredded, open, nobody }: EraseAgainCounts, isDry: boolean): string[] {
  const what = counted(runs, 'request');
  const lines = [
    isDry ? `${what} would be erased again.` : `${what} will be erased again by the server.`,
  ];
  if (shredded > 0) {
    lines.push(
      `${counted(shredded, 'request')} cannot be: the identities are shredded (retention.identities). Erase what came back by hand, or restore a newer backup.`,
    );
  }
  if (open > 0) {
    lines.push(`${counted(open, 'request')} left out: an open task at this target comes first.`);
  }
  if (nobody > 0) lines.push(`${counted(nobody, 'request')} left out: no identity was named.`);
  return lines;
}
