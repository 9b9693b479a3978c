import { createProvision, type Provision } from '../auth/provision.ts';
import type { SqliteStore } from '../store/sqlite/open-store.ts';

export function provisionFor(store: SqliteStore, actor: string): Provision {
  return createProvision(store.tenants, store.tenantWriter, Date.now, actor);
}
