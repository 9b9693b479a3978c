// The questions whether a worker is wanted, by a connection that only reads.
import type { DatabaseSync } from 'node:sqlite';
import type { DueStore } from '../../domain/store.ts';
import { prepareConditions } from './alarm-conditions.ts';
import { prepareHasToDeliver } from './alarms.ts';
import { createDueToForget } from './forgetting-store.ts';
import { prepareMasterKeys } from './master-keys.ts';
import { prepareReceiptsDue } from './receipts.ts';
import { prepareUnsealedAudit } from './unsealed-audit.ts';
import { prepareHasToLook } from './watched-requests.ts';

export function createDueStore(reader: DatabaseSync): DueStore {
  return {
    auditHeads: { unsealed: prepareUnsealedAudit(reader) },
    receipts: { anyDue: prepareReceiptsDue(reader) },
    forgetting: createDueToForget(reader),
    masterKeys: { masterKeys: prepareMasterKeys(reader) },
    watch: { hasToLook: prepareHasToLook(reader) },
    conditions: { conditions: prepareConditions(reader) },
    delivery: { hasToDeliver: prepareHasToDeliver(reader) },
  };
}
