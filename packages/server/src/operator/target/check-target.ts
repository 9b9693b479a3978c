// Checks a target: what could go wrong, line by line, and what its plan does. Changes nothing there.
import { type CheckLine, type Connector, TargetDown } from '../../domain/target/connector.ts';
import type { PlanDescription } from '../../domain/target/plan-description.ts';
import type { TargetConfig } from '../../domain/target/target.ts';

export interface CheckedTarget {
  readonly target: TargetConfig;
  readonly lines: readonly CheckLine[];
  readonly plan: PlanDescription | undefined;
}

export type ConnectorOf = (
  target: TargetConfig,
) => Promise<Pick<Connector, 'check' | 'describePlan'>>;

export async function checkTarget(
  target: TargetConfig,
  connectorOf: ConnectorOf,
): Promise<CheckedTarget> {
  if (target.connector === 'manual') {
    const message = 'a person erases and confirms';
    return { target, lines: [{ level: 'ok', subject: target.name, message }], plan: undefined };
  }
  const lines: CheckLine[] = [];
  try {
    const connector = await connectorOf(target);
    lines.push(...(await connector.check()));
    return { target, lines: worstFirst(lines), plan: await connector.describePlan?.() };
  } catch (error) {
    if (!(error instanceof TargetDown)) throw error;
    const message = `${error.message} (${error.code})`;
    lines.push({ level: 'problem', subject: target.name, message });
    return { target, lines, plan: undefined };
  }
}

const ORDER: readonly CheckLine['level'][] = ['problem', 'warning', 'note', 'ok'];

/** Each once. */
function worstFirst(lines: readonly CheckLine[]): CheckLine[] {
  const once = new Map(lines.map((line) => [JSON.stringify(line), line]));
  return [...once.values()].sort((a, b) => ORDER.indexOf(a.level) - ORDER.indexOf(b.level));
}

export function hasProblem({ lines }: Pick<CheckedTarget, 'lines'>): boolean {
  return lines.some(({ level }) => level === 'problem');
}
