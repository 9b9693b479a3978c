// Reloads the settings of this node: all that changed is in force then, or nothing, and the audit log says which.
import { hostname } from 'node:os';
import type { AuditLog } from '../../domain/audit/audit-ports.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Log } from '../../telemetry/log.ts';
import type { LiveConfig } from './live-config.ts';

export type Reloaded =
  | { readonly ok: true; readonly changed: readonly string[] }
  | { readonly ok: false; readonly reasons: readonly string[] };

/** `by` is the actor in the audit log. */
export type ReloadSettings = (by: string) => Promise<Reloaded>;

export interface ReloadParts {
  readonly live: LiveConfig;
  readonly auditLog: Pick<AuditLog, 'note'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when changed settings are in force. */
  readonly inForce: () => void;
}

export function createReloadSettings(parts: ReloadParts): ReloadSettings {
  const { live, auditLog, clock, log, inForce } = parts;
  const node = { host: hostname(), pid: process.pid };
  let last: Promise<unknown> = Promise.resolve();

  /** Recorded first: what cannot be recorded is not done. */
  async function reload(actor: string): Promise<Reloaded> {
    const by = { actor, now: clock() };
    const candidate = live.read();
    if ('reasons' in candidate) {
      const { reasons } = candidate;
      log.error({ reasons }, 'the settings were not reloaded; those that were in force stay');
      await auditLog.note('config.reload_refused', by, { ...node, reasons });
      return { ok: false, reasons };
    }
    const { loaded, changed } = candidate;
    await auditLog.note('config.reloaded', by, { ...node, changed });
    live.take(loaded);
    inForce();
    for (const warning of loaded.warnings) log.warn(warning);
    log.info({ changed, configuration: live.digest() }, 'the settings were reloaded');
    return { ok: true, changed };
  }

  return (actor) => {
    // One after the other: each compares with what the one before has put in force.
    const next = last.then(() => reload(actor));
    last = next.catch(() => undefined);
    return next;
  };
}
