import type { CheckLine } from '../../../domain/target/connector.ts';
import type { SqlTargetConfig } from '../../../domain/target/target.ts';
import type { SqlDialect } from '../dialect.ts';
import type { SqlDatabase } from '../session.ts';
import type { Probe, Read } from './probe.ts';

/** A target that is being checked. */
export interface CheckContext {
  readonly config: SqlTargetConfig;
  readonly dialect: SqlDialect;
  readonly database: SqlDatabase;
  readonly probe: Probe;
  readonly read: Read;
  /** If the database refuses to answer, that is a problem of this subject, and the check continues. */
  attempt(subject: string, look: () => Promise<CheckLine[]>): Promise<CheckLine[]>;
}
