import { createProvision, type Provision } from '../../auth/provision.ts';
import type { Store } from '../../domain/store/store.ts';

export function provisionFor(store: Store, actor: string): Provision {
  return createProvision(store.tenants, store.tenantWriter, store.clock, actor);
}
