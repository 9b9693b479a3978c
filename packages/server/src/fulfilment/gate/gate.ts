// The check as a gate: a problem of structure or rights, as `unwrite target check` reports it, stops every task
// of the target. Checked when a target is first worked on, after any failure of it, and every hour.
import { byName } from '../../domain/by-name.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Connector } from '../../domain/target/connector.ts';
import type { TargetConfig } from '../../domain/target/target.ts';
import { targetRefused } from '../../domain/target/target-refused.ts';

export const GATE_LASTS_MS = 3_600_000;

export type Accepted = Readonly<Record<string, string>>;

export interface Gate {
  /** Returns the findings that the operator has accepted. Throws TargetDown while there is a problem. */
  pass(target: TargetConfig, connector: Connector): Promise<Accepted>;
  /** The next call to pass() checks the target again. */
  forget(target: string): void;
}

interface Passed {
  readonly digest: string;
  readonly until: number;
  readonly accepted: Accepted;
}

export function createGate(
  clock: Clock,
  /** Called after each look at a target's database. */
  tellOutside: (target: string, outside: readonly string[]) => Promise<void> = async () =>
    undefined,
): Gate {
  const passed = new Map<string, Passed>();
  return {
    async pass(target, connector) {
      const { name, digest } = target;
      if (connector.gate === undefined) return byName();
      const before = passed.get(name);
      if (before?.digest === digest && before.until > clock()) return before.accepted;
      passed.delete(name);
      const { problems, accepted, outside = [] } = await connector.gate();
      if (outside.length > 0) await tellOutside(name, outside);
      if (problems.length > 0) throw targetRefused(problems);
      passed.set(name, { digest, until: clock() + GATE_LASTS_MS, accepted });
      return accepted;
    },
    forget(name) {
      passed.delete(name);
    },
  };
}
