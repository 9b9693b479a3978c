import type { DeliveryStore } from '../domain/alarm/alarm-ports.ts';
import type { Chore, DueChore } from '../domain/chore.ts';
import type { Clock } from '../domain/clock.ts';
import { TURN_MS, webhookRetryTime } from '../domain/webhook-retry.ts';
import { alarmMessage } from './alarm-message.ts';
import type { SendAlarm } from './send-alarm.ts';

/** A webhook that is new, or was unreachable for weeks, must not get old alarms. */
const GIVE_UP_MS = 7 * 24 * 3_600_000;
const MAX_AT_ONCE = 500;

export interface DeliverParts {
  readonly store: DeliveryStore;
  readonly send: SendAlarm;
  /** Address of the console. */
  readonly console: string;
  readonly clock: Clock;
  readonly failed: (reason: string, failures: number) => void;
}

export function createDeliverDue(store: Pick<DeliveryStore, 'hasToDeliver'>): DueChore {
  return { name: 'delivering alarms', isDue: store.hasToDeliver };
}

/**
 * Sends the most severe alarms first, each until it has arrived. A slow webhook must not keep the worker from
 * its batches.
 */
export function createDeliverChore(
  parts: DeliverParts,
): Chore & { readonly idle: () => Promise<void> } {
  const { store, send, console, clock, failed } = parts;
  let underWay: Promise<void> | undefined;

  async function deliver(): Promise<void> {
    await store.giveUp(clock() - GIVE_UP_MS);
    for (let sent = 0; sent < MAX_AT_ONCE; sent++) {
      const alarms = await store.take(clock(), clock() + TURN_MS);
      const message = alarmMessage(alarms, console);
      if (message === undefined) return;
      const posted = await send(message, clock());
      if (posted.ok) await store.delivered(alarms, clock());
      else {
        const retryTime = (failures: number) => webhookRetryTime(clock(), failures);
        failed(posted.reason, await store.deliveryFailed(retryTime));
        return;
      }
    }
  }

  return {
    ...createDeliverDue(store),
    isDue: async (now) => underWay === undefined && store.hasToDeliver(now),
    async run() {
      underWay = deliver()
        // The store may be closed meanwhile, when the worker ends: then the message is sent again later.
        .catch(() => undefined)
        .finally(() => {
          underWay = undefined;
        });
    },
    idle: async () => underWay,
  };
}
