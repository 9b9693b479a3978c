// The turn of the node that sends messages to a receiver: the time of the next attempt, which the node that takes it
// puts off while it sends. So two nodes do not send one message.
import { LATEST_RETRY_MS } from '../../domain/webhook-retry.ts';

/** Whether that time has come. One that is too far away was written by a clock that was ahead. */
export const isTime = (column: string) =>
  `(${column} <= :now OR ${column} > :now + ${LATEST_RETRY_MS})`;
