/** The name of an actor of the audit log, for people. */
export function actorName(actor: string): string {
  return actor.replace(/^operator:(client:)?/, '');
}
