// A store that was restored from a backup does not know what was cancelled since: it must not continue as
// if nothing had happened. It is detected by a recorded head of the audit log that the store lacks.
import type { KnownHead } from '../domain/audit/proof-ports.ts';
import type { Store } from '../domain/store/store.ts';
import { EVERYTHING } from '../domain/task/pause-ports.ts';

/** The first of these heads that the store lacks; then all erasing is paused. */
export async function pauseIfRestored(
  store: Pick<Store, 'auditHeads' | 'brakes'>,
  known: readonly KnownHead[],
  now: number,
): Promise<KnownHead | undefined> {
  for (const head of known) {
    if (await isThere(store, head)) continue;
    await store.brakes.pause(EVERYTHING, { actor: 'system', now });
    return head;
  }
  return undefined;
}

async function isThere(
  { auditHeads }: Pick<Store, 'auditHeads'>,
  { headNo, hash }: KnownHead,
): Promise<boolean> {
  const [head] = await auditHeads.heads(headNo - 1, 1);
  return head?.headNo === headNo && Buffer.from(head.hash).toString('hex') === hash;
}
