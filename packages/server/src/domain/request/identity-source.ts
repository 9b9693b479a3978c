/**
 * Whether identities were submitted, or added by an operator (`operator:…`), and need no proof. What was looked up has the name of
 * its target, without a colon.
 */
export function isGiven(source: string | undefined): boolean {
  return source === undefined || source.includes(':');
}
