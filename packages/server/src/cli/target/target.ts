import type { Command } from 'commander';
import type { TargetConfig } from '../../domain/target/target.ts';
import { isPaused } from '../../operator/target/pauses.ts';
import { stateOf, type TargetFacts, troubleOf } from '../../operator/target/target-lines.ts';
import { settingsOf, withJson, withSettings } from '../shared/options.ts';
import { printJson, printLines, printTable } from '../shared/output.ts';
import { addTargetCheck, NO_TARGETS } from './check.ts';
import { sayPause } from './pause.ts';
import { addTargetPrepare } from './prepare.ts';
import { readFacts } from './read-facts.ts';
import { addTargetSuggest } from './suggest.ts';

export function addTargetCommands(program: Command): void {
  const target = program
    .command('target')
    .description('Targets: the systems to erase from, as declared in unwrite.config.yaml');

  const list = target.command('list').description('List the targets; secrets are not shown');
  withJson(withSettings(list)).action(async ({ json }: { json?: boolean }) => {
    const { config } = settingsOf(list);
    const { targets } = config;
    const facts = await readFacts(config);
    const { pauses } = facts;
    const lines = targets.map((it) => ({ ...shape(it), ...standing(it, facts) }));
    if (json) {
      printJson(lines);
      return;
    }
    if (targets.length === 0) printLines(NO_TARGETS);
    else {
      printTable(
        ['name', 'state', 'connector', 'mode', 'tenancy', 'controllers', 'hours', 'digest'],
        lines.map((it) => [
          it.name,
          it.trouble === null ? it.state : `${it.state}: ${it.trouble.code}`,
          it.connector,
          it.mode,
          it.tenancy,
          it.controllers?.join(',') ?? 'all',
          it.hours ?? 'always',
          it.digest,
        ]),
      );
      for (const pause of pauses) printLines(sayPause(pause));
    }
  });

  addTargetCheck(target);
  addTargetSuggest(target);
  addTargetPrepare(target);
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

function standing(target: TargetConfig, facts: Pick<TargetFacts, 'pauses' | 'circuits'>) {
  const { name } = target;
  const circuit = facts.circuits.find((it) => it.target === name);
  return {
    state: stateOf(name, target, facts),
    paused: isPaused(name, facts.pauses),
    trouble: circuit === undefined ? null : troubleOf(circuit),
  };
}
