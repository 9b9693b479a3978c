// A store that was restored from a backup does not know what was cancelled since: it must not go on as
// if nothing had happened. It shows by a head of the audit log that was written down and is not there.
import { hex } from '../audit/chain.ts';
import { createHeadFile } from '../audit/head-file.ts';
import type { Config } from '../config/config.ts';
import type { KnownHead } from '../domain/audit/proof-ports.ts';
import type { Store } from '../domain/store/store.ts';
import { EVERYTHING } from '../domain/task/pause-ports.ts';
import type { Log } from '../telemetry/log.ts';

/** The longest that the setting allows. */
const NOTHING_STARTS_MS = 29 * 86_400_000;

/** How long requests stay pending; longer where the store may have been restored, and then all is paused. */
export async function cancellationWindowOf(
  store: Pick<Store, 'auditHeads' | 'brakes'>,
  config: Config,
  log: Log,
  now: number,
): Promise<number> {
  const isThere = async ({ headNo, hash }: KnownHead) => {
    const [head] = await store.auditHeads.heads(headNo - 1, 1);
    return head?.headNo === headNo && hex(head.hash) === hash;
  };
  let missing: KnownHead | undefined;
  for (const head of createHeadFile(config.dataDir).read()) {
    if (missing === undefined && !(await isThere(head))) missing = head;
  }
  if (missing === undefined) return config.cancellationWindow * 1000;
  await store.brakes.pause(EVERYTHING, { actor: 'system', now });
  log.warn(
    { head_no: missing.headNo },
    'the audit log was longer once: if a backup was restored, requests that were cancelled since are pending again. All erasing is paused and nothing that is pending starts; docs/forgetting.md, "Our own store was restored", says what to do',
  );
  return NOTHING_STARTS_MS;
}
