// `unwrite pause` and `unwrite resume`: for all erasing, or for one target.
import type { Command } from 'commander';
import { SYSTEM } from '../../domain/store/restore.ts';
import type { PauseOperator } from '../../domain/task/pause-ports.ts';
import { DAMAGED_LOG, EVERYTHING, type Pause } from '../../domain/task/pause-ports.ts';
import { pauseErasing, pauseShape, resumeErasing } from '../../operator/target/pauses.ts';
import { withInstallation } from '../shared/installation.ts';
import { actorOf, withActor, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines, timeInSentence } from '../shared/output.ts';

interface PauseOptions {
  readonly target?: string;
  readonly json?: boolean;
}

export function addPauseCommands(program: Command): void {
  const pause = program
    .command('pause')
    .description('Pause all erasing, or erasing at one target, until "unwrite resume"')
    .option('--target <name>', 'Only this target');
  withActor(withJson(withSettings(pause))).action(({ target, json }: PauseOptions) =>
    withInstallation(pause, async ({ store }, config) => {
      const by = { actor: actorOf(pause), now: store.clock() };
      const isNew = await pauseErasing(store, config.targets, target, by);
      if (json) printJson({ paused: (await store.pauses.list()).map(pauseShape) });
      else printLines(...saidPaused(target, isNew), ...(await listed(store.pauses)));
    }),
  );

  const resume = program
    .command('resume')
    .description('Resume erasing after "unwrite pause"')
    .option('--target <name>', 'Only this target');
  withActor(withJson(withSettings(resume))).action(({ target, json }: PauseOptions) =>
    withInstallation(resume, async ({ store }) => {
      const by = { actor: actorOf(resume), now: store.clock() };
      const wasPaused = await resumeErasing(store, target, by);
      if (json) printJson({ paused: (await store.pauses.list()).map(pauseShape) });
      else printLines(saidResumed(target, wasPaused), ...(await listed(store.pauses)));
    }),
  );
}

export function sayPause({ scope, pausedTime, pausedBy }: Pause): string {
  const what = scope === EVERYTHING ? 'All erasing' : `Erasing at ${scope}`;
  if (pausedBy === SYSTEM)
    return `${what} has been paused since ${timeInSentence(pausedTime)}, as the store went back in time; "unwrite restored review" says what to do.`;
  if (pausedBy === DAMAGED_LOG)
    return `${what} has been paused since ${timeInSentence(pausedTime)}, as someone else wrote to the audit log; "unwrite audit verify" names what was changed, and "unwrite audit accept" lets erasing go on.`;
  const resume = scope === EVERYTHING ? 'unwrite resume' : `unwrite resume --target ${scope}`;
  return `${what} has been paused since ${timeInSentence(pausedTime)} by ${pausedBy}; "${resume}" resumes it.`;
}

function saidPaused(target: string | undefined, isNew: boolean): string[] {
  const what = target === undefined ? 'All erasing' : `Erasing at ${target}`;
  if (!isNew) return [`${what} was paused already.`];
  return [
    `${what} is paused. Batches that are running are finished; no new ones are started.`,
    'Requests are still accepted, cancelled and started. The pause holds across restarts.',
  ];
}

function saidResumed(target: string | undefined, wasPaused: boolean): string {
  const what = target === undefined ? 'Erasing' : `Erasing at ${target}`;
  if (wasPaused) return `${what} is resumed.`;
  return target === undefined
    ? 'Erasing was not paused for all targets.'
    : `${target} was not paused individually.`;
}

async function listed(pauses: PauseOperator): Promise<string[]> {
  return (await pauses.list()).map(sayPause);
}
