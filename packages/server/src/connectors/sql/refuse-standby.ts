import { TargetDown } from '../../domain/target/connector.ts';
import type { SqlDialect } from './dialect.ts';
import type { SqlSession } from './session.ts';

/** A row that is missing on a replica may still exist on the primary, and vice versa. */
export async function refuseStandby(dialect: SqlDialect, session: SqlSession): Promise<void> {
  if (await dialect.isStandby(session))
    throw new TargetDown(
      'read_only',
      'this server is a replica or read-only; give the address of the primary',
    );
}
