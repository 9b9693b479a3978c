// How long requests stay pending: longer where the store seems to have been restored from a backup.
import { createHeadFile } from '../audit/head-file.ts';
import type { Config } from '../config/config.ts';
import type { Store } from '../domain/store/store.ts';
import { pauseIfRestored } from '../operator/detect-restored-store.ts';
import type { Log } from '../telemetry/log.ts';

/** The longest that the setting allows. */
const NOTHING_STARTS_MS = 29 * 86_400_000;

export async function cancellationWindowOf(
  store: Pick<Store, 'auditHeads' | 'brakes'>,
  config: Config,
  log: Log,
  now: number,
): Promise<number> {
  const missing = await pauseIfRestored(store, createHeadFile(config.dataDir).read(), now);
  if (missing === undefined) return config.cancellationWindow * 1000;
  log.warn(
    { head_no: missing.headNo },
    'the audit log is shorter than it was: if a backup of the store was restored, requests that were cancelled after that backup are pending again. All erasing is paused, and pending requests do not start; docs/forgetting.md, "Our own store was restored", says what to do',
  );
  return NOTHING_STARTS_MS;
}
