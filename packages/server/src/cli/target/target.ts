import type { Command } from 'commander';
import type { TargetConfig } from '../../domain/target/target.ts';
import { type Brake, EVERYTHING } from '../../domain/task/pause-ports.ts';
import { settingsOf, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines, printTable } from '../shared/output.ts';
import { addTargetCheck, NO_TARGETS } from './check.ts';
import { sayBrake } from './pause.ts';
import { readBrakes } from './read-brakes.ts';
import { addTargetSuggest } from './suggest.ts';

export function addTargetCommands(program: Command): void {
  const target = program
    .command('target')
    .description('The systems that are erased from, as in unwrite.config.yaml');

  const list = target.command('list').description('List the targets; secrets are not shown');
  withJson(withSettings(list)).action(async ({ json }: { json?: boolean }) => {
    const { config } = settingsOf(list);
    const { targets } = config;
    const brakes = await readBrakes(config);
    if (json) {
      printJson(targets.map((it) => ({ ...shape(it), paused: isPaused(it, brakes) })));
      return;
    }
    if (targets.length === 0) printLines(NO_TARGETS);
    else {
      printTable(
        ['name', 'connector', 'mode', 'tenancy', 'controllers', 'hours', 'digest'],
        targets
          .map(shape)
          .map((it) => [
            it.name,
            it.connector,
            it.mode,
            it.tenancy,
            it.controllers?.join(',') ?? 'all',
            it.hours ?? 'always',
            it.digest,
          ]),
      );
      for (const brake of brakes) printLines(sayBrake(brake));
    }
  });

  addTargetCheck(target);
  addTargetSuggest(target);
}

function isPaused({ name }: TargetConfig, brakes: readonly Brake[]): boolean {
  return brakes.some(({ scope }) => scope === EVERYTHING || scope === name);
}

function shape(target: TargetConfig) {
  return {
    name: target.name,
    connector: target.connector,
    mode: target.mode,
    tenancy: 'tenancy' in target ? target.tenancy.way : null,
    controllers: target.controllers,
    hours: target.hours?.text ?? null,
    digest: target.digest,
  };
}
