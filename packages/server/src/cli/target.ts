import type { Command } from 'commander';
import { type Brake, EVERYTHING } from '../domain/brake-ports.ts';
import type { CheckLine } from '../domain/connector.ts';
import { TargetDown } from '../domain/connector.ts';
import type { TargetConfig } from '../domain/target.ts';
import type { ConnectorsInUse } from '../fulfilment/connectors-in-use.ts';
import { noSuchTarget } from './existing-target.ts';
import { CommandFailure, ReportedFailure } from './failure.ts';
import { settingsOf, withJson, withSettings } from './options.ts';
import { counted, printJson, printLines, printTable } from './output.ts';
import { sayBrake } from './pause.ts';
import { readBrakes } from './read-brakes.ts';

interface CheckedTarget {
  readonly target: TargetConfig;
  readonly lines: readonly CheckLine[];
}

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

  const check = target
    .command('check [name]')
    .description('Look at everything that could go wrong at a target, or at all; changes nothing');
  withJson(withSettings(check)).action(
    async (name: string | undefined, { json }: { json?: boolean }) => {
      const targets = chosen(settingsOf(check).config.targets, name);
      const { openConnectorsToLook } = await import('../compose-connectors.ts');
      const connectors = openConnectorsToLook();
      const checked: CheckedTarget[] = [];
      try {
        for (const one of targets) {
          const result = { target: one, lines: await linesOf(one, connectors) };
          checked.push(result);
          if (!json) printChecked(result);
        }
      } finally {
        await connectors.close();
      }
      if (json) printJson(checked.map(shapeChecked));
      else printLines(summary(checked));
      if (checked.some(hasProblem)) throw new ReportedFailure();
    },
  );
}

function isPaused({ name }: TargetConfig, brakes: readonly Brake[]): boolean {
  return brakes.some(({ scope }) => scope === EVERYTHING || scope === name);
}

const NO_TARGETS =
  'There are no targets: every request waits for a person. docs/targets.md says how to add one.';

function chosen(
  targets: readonly TargetConfig[],
  name: string | undefined,
): readonly TargetConfig[] {
  const found = name === undefined ? targets : targets.filter((it) => it.name === name);
  if (found.length > 0) return found;
  if (name === undefined) throw new CommandFailure(NO_TARGETS);
  throw noSuchTarget(name, targets);
}

async function linesOf(target: TargetConfig, connectors: ConnectorsInUse): Promise<CheckLine[]> {
  if (target.connector === 'manual') {
    return [{ level: 'ok', subject: target.name, message: 'a person erases and confirms' }];
  }
  try {
    return await (await connectors.connectorOf(target)).check();
  } catch (error) {
    if (!(error instanceof TargetDown)) throw error;
    return [
      { level: 'problem', subject: target.name, message: `${error.message} (${error.code})` },
    ];
  }
}

function printChecked({ target, lines }: CheckedTarget): void {
  printLines(`${target.name} (${target.connector})`);
  const width = Math.max(0, ...lines.map(({ subject }) => subject.length));
  for (const { level, subject, message } of lines) {
    printLines(`  ${level.padEnd(7)}  ${subject.padEnd(width)}  ${message}`);
  }
}

function hasProblem({ lines }: CheckedTarget): boolean {
  return lines.some(({ level }) => level === 'problem');
}

function summary(checked: readonly CheckedTarget[]): string {
  const lines = checked.flatMap((it) => it.lines);
  const count = (level: CheckLine['level']) =>
    counted(lines.filter((it) => it.level === level).length, level);
  return `${counted(checked.length, 'target')} checked: ${count('problem')}, ${count('warning')}.`;
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

function shapeChecked(result: CheckedTarget) {
  const { name, connector } = result.target;
  return { name, connector, ok: !hasProblem(result), lines: result.lines };
}
