/**
 * Whether identities were submitted or added by an operator (`operator:…`), and so need no proof. The source of
 * looked-up identities is the name of a target, which has no colon.
 */
export function isGiven(source: string | undefined): boolean {
  return source === undefined || source.includes(':');
}
