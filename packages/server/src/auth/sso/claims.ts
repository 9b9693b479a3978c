// Reads claims whose place differs between providers: `roles`, `realm_access.roles`,
// `https://example.com/roles`, `org.id`.

export function readClaim(claims: unknown, path: string): unknown {
  if (typeof claims !== 'object' || claims === null) return undefined;
  if (Object.hasOwn(claims, path)) return (claims as Record<string, unknown>)[path];
  // A namespaced name contains dots itself, so every dot may be the separator.
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const head = path.slice(0, dot);
    if (!Object.hasOwn(claims, head)) continue;
    const found = readClaim((claims as Record<string, unknown>)[head], path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The claim is the role, or a list that contains it. Never a part of a text: "not admin" is not "admin". */
export function hasRole(claim: unknown, role: string): boolean {
  return claim === role || (Array.isArray(claim) && claim.includes(role));
}

/** One organisation, or a list with one; a choice between several would be a guess. */
export function organisationOf(claim: unknown): string | undefined {
  const value: unknown = Array.isArray(claim) && claim.length === 1 ? claim[0] : claim;
  return typeof value === 'string' && value !== '' ? value : undefined;
}
