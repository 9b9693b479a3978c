// unwrite target check: what could go wrong at a target, line by line, and what its plan does, as a tree.

import type { Command } from 'commander';
import type { CheckLine } from '../../domain/target/connector.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import { visibleLine } from '../../domain/visible-text.ts';
import { type CheckedTarget, checkTarget, hasProblem } from '../../operator/target/check-target.ts';
import { noSuchTarget } from '../../operator/target/find-target.ts';
import { CommandFailure, ReportedFailure } from '../shared/failure.ts';
import { settingsOf, withJson, withSettings } from '../shared/options.ts';
import { counted, printJson, printLines, printRows } from '../shared/output.ts';
import { planTree, shapePlan } from './plan-tree.ts';

/** Width of the longest level, so that the lines of all targets align. */
const LEVEL_WIDTH = 'problem'.length;

export const NO_TARGETS =
  'No targets are configured: every request waits for an operator. docs/targets.md says how to add one.';

export function addTargetCheck(target: Command): void {
  const check = target
    .command('check [name]')
    .description(
      'Check one target, or all of them, for what could go wrong, and show the plan; changes nothing',
    );
  withJson(withSettings(check)).action(
    async (name: string | undefined, { json }: { json?: boolean }) => {
      const { config } = settingsOf(check);
      const targets = chosen(config.targets, name);
      const { openConnectorsToLook } = await import('../../app/connectors.ts');
      const connectors = openConnectorsToLook(config.domain);
      const checked: CheckedTarget[] = [];
      try {
        for (const one of targets) {
          const result = await checkTarget(one, connectors.connectorOf);
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

function chosen(
  targets: readonly TargetConfig[],
  name: string | undefined,
): readonly TargetConfig[] {
  const found = name === undefined ? targets : targets.filter((it) => it.name === name);
  if (found.length > 0) return found;
  if (name === undefined) throw new CommandFailure(NO_TARGETS);
  throw noSuchTarget(name, targets);
}

function printChecked({ target, lines, plan }: CheckedTarget): void {
  const { name, connector, runsAfter = [] } = target;
  const order = runsAfter.length === 0 ? '' : `, runs after ${runsAfter.join(', ')}`;
  printLines(`${name} (${connector})${order}`);
  // The lines of a module are its own text.
  printRows(
    lines.map((line) => [
      line.level.padEnd(LEVEL_WIDTH),
      visibleLine(line.subject),
      visibleLine(isBlock(line) ? withoutSql(line) : line.message),
    ]),
    2,
  );
  for (const { sql = [] } of lines.filter(isBlock))
    printLines('', ...sql.map((statement) => `${visibleLine(statement)};`), '');
  if (plan === undefined) return;
  printLines('  plan: what is found by what, and what happens to it', ...planTree(plan, 4));
}

/** Several statements are printed below the lines, to be copied at once. */
const isBlock = ({ sql = [] }: CheckLine): boolean => sql.length > 1;

function withoutSql({ message, sql = [] }: CheckLine): string {
  const start = message.slice(0, -`: ${sql.join('; ')}`.length);
  return `${start} the statements below`;
}

function summary(checked: readonly CheckedTarget[]): string {
  const lines = checked.flatMap((it) => it.lines);
  const count = (level: CheckLine['level']) =>
    counted(lines.filter((it) => it.level === level).length, level);
  return `${counted(checked.length, 'target')} checked: ${count('problem')}, ${count('warning')}.`;
}

function shapeChecked(result: CheckedTarget) {
  const { name, connector, runsAfter } = result.target;
  const { lines, plan } = result;
  return {
    name,
    connector,
    ...(runsAfter !== undefined && { runs_after: runsAfter }),
    ok: !hasProblem(result),
    lines,
    ...(plan !== undefined && { plan: shapePlan(plan) }),
  };
}
