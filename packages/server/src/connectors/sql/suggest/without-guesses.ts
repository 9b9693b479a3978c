// What is found by a reference needs no uncertain value of its own.
import { isPeopleTable } from '../personal/table-signs.ts';
import type { TenantColumn } from './find-tenant-column.ts';
import type { TenantOfTable } from './find-tenants.ts';
import type { TableWays } from './find-ways.ts';

export function withoutGuesses(
  ways: TableWays,
  tenant: TenantColumn | undefined,
  tenants: ReadonlyMap<string, TenantOfTable>,
): TableWays {
  const { table, emails, signs, via, upward } = ways;
  const isReferring = via.length + upward.length > 0;
  const isSender = signs.senders.length === emails.length;
  const isUntold = tenant !== undefined && !tenants.has(table);
  const own = isReferring && (isSender || isUntold) ? [] : emails;
  const isFound = own.length > 0 || isReferring;
  return {
    ...ways,
    emails: own,
    customerIds: isFound && !isPeopleTable(table) ? [] : ways.customerIds,
  };
}
