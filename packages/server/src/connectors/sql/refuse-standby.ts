import { TargetDown } from '../../domain/target/connector.ts';
import type { SqlDialect } from './dialect.ts';
import type { SqlSession } from './session.ts';

/** What a copy does not show any more may still be on the primary, and the other way round. */
export async function refuseStandby(dialect: SqlDialect, session: SqlSession): Promise<void> {
  if (await dialect.isStandby(session))
    throw new TargetDown(
      'read_only',
      'this server is a replica or read-only; give the address of the primary',
    );
}
