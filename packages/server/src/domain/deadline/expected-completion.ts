/** How long a request may take. */
export const THIRTY_DAYS = 30 * 24 * 60 * 60 * 1000;

/** Never changes for a request: thirty times 24 hours, regardless of the calendar. */
export function expectedCompletion(receivedTime: number): number {
  return receivedTime + THIRTY_DAYS;
}
