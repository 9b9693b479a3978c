/** The advice at the end of a message about what the catalogue may explain. */
export const RUN_CHECK = '; run "unwrite target check"';

/** The message of an error without that advice: for the check itself, and where it found nothing. */
export function withoutRunCheck({ message }: Error): string {
  return message.endsWith(RUN_CHECK) ? message.slice(0, -RUN_CHECK.length) : message;
}
