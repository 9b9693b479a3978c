/** Who an actor of the audit log is, as a person says it. */
export function actorName(actor: string): string {
  return actor.replace(/^operator:(client:)?/, '');
}
