// Masks an identity: enough is shown to distinguish the identities of a request, but not to know the person.
import type { Identity } from '../../domain/request/identity.ts';

export const HIDDEN = '•••';

export function maskIdentity(identity: Identity): string {
  const value = identity.reveal();
  return identity.type === 'email' ? maskEmail(value) : `${HIDDEN}${ending(value, 2)}`;
}

function maskEmail(value: string): string {
  const at = value.lastIndexOf('@');
  const domain = at < 0 ? '' : value.slice(at + 1);
  const dot = domain.lastIndexOf('.');
  const topLevel = dot < 0 ? '' : domain.slice(dot);
  return `${first(value.slice(0, Math.max(at, 0)))}${HIDDEN}@${HIDDEN}${topLevel}`;
}

/** Empty for a short name, of which the first character would give away too much. */
function first(local: string): string {
  const [character = ''] = local;
  return [...local].length > 3 ? character : '';
}

function ending(value: string, count: number): string {
  const characters = [...value];
  return characters.length > 4 * count ? characters.slice(-count).join('') : '';
}
