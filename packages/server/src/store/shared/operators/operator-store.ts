import type { RowMacs } from '../../../domain/keys/row-macs.ts';
import type { OperatorStore } from '../../../domain/operator/sign-in-ports.ts';
import type { Database } from '../../sql.ts';
import { appendAudit, auditOf } from '../audit/append-audit.ts';
import { createOperatorLinks } from './links.ts';
import { createOperatorClients } from './operator-clients.ts';
import { createOperatorSessions } from './sessions.ts';

export function createOperatorStore(
  writer: Database,
  reader: Database,
  macs: RowMacs,
): OperatorStore {
  return {
    ...createOperatorLinks(writer, macs),
    ...createOperatorSessions(writer, reader, macs),
    ...createOperatorClients(writer, reader, macs),
    recordRefusal: (by, detail) =>
      appendAudit(writer, [auditOf('operator.sign_in_refused', by, detail)]),
  };
}
