/** How long a request may take. */
export const THIRTY_DAYS = 30 * 24 * 60 * 60 * 1000;

/** Fixed for the life of the request: thirty times 24 hours, whatever the calendar does. */
export function expectedCompletion(receivedTime: number): number {
  return receivedTime + THIRTY_DAYS;
}
