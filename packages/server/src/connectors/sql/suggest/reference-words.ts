// Which words of a column's name say what it refers to, and in which role.
import type { Catalogue } from '../catalogue.ts';
import { endsWith, tableWords, wordsOf } from '../personal/name-words.ts';
import { isPeopleWord } from '../personal/table-signs.ts';

export interface ReferenceWords {
  /** `user` of user_id, userid, id_user. */
  readonly base: readonly string[];
  readonly hasId: boolean;
  /** `id_address_delivery`: the table comes first. */
  readonly isPrefixed?: boolean;
}

const ACTED = new Set(
  `assignee manager reviewer approver moderator handler supervisor responsible editor admin operator
  updater creator inviter owner`.split(/\s+/),
);
/** last_post_user_id, in_reply_to_user_id: about another row, or about what happened last. */
const BESIDE = new Set(
  'last reply replied impersonated acting featured previous edit delete'.split(' '),
);
const OWNED = new Set('author sender recipient receiver buyer poster'.split(' '));

export function referenceWords(column: string, catalogue: Catalogue): ReferenceWords {
  const words = wordsOf(column);
  const last = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  if (last === 'id' || last === 'uuid') return { base: before, hasId: true };
  if (words[0] === 'id' && words.length > 1)
    return { base: words.slice(1), hasId: true, isPrefixed: true };
  // Moodle's useridfrom
  const stem = /^(.{3,}?)(?:uu)?id(?:from|to)?$/.exec(last)?.[1];
  if (stem !== undefined && isKnown(stem, catalogue))
    return { base: [...before, stem], hasId: true };
  // Nextcloud's affecteduser
  const ending = /^(?!super|power|multi).{3,}(user)$/.exec(last)?.[1];
  return { base: ending === undefined ? words : [...words, ending], hasId: false };
}

/** PostgreSQL turns UserId into `userid`: it is split only if the first word means a table or a role. */
function isKnown(stem: string, catalogue: Catalogue): boolean {
  return (
    ACTED.has(stem) ||
    OWNED.has(stem) ||
    [...catalogue.keys()].some((table) => endsWith(tableWords(table), [stem]))
  );
}

/** Names a person who dealt with the row, not its owner. */
export function isActed(words: readonly string[]): boolean {
  const plain = words.at(-1) === 'id' ? words.slice(0, -1) : words;
  return isActingRole(plain) || (plain.length > 1 && plain.some((word) => BESIDE.has(word)));
}

/** Named after what a person did: `created_by`, `owner`. */
export function isActingRole(base: readonly string[]): boolean {
  const last = base.at(-1) ?? '';
  return (
    (last === 'by' && base.length > 1) ||
    // Odoo's create_uid and write_uid.
    (last === 'uid' && base.length > 1) ||
    base[0] === 'assigned' ||
    ACTED.has(last) ||
    // Directus' user_created
    (isPeopleWord(base.at(-2) ?? '') && /^(?:created|updated|modified|edited|deleted)$/.test(last))
  );
}

export function isOwnedRole(base: readonly string[]): boolean {
  return OWNED.has(base.at(-1) ?? '');
}

export function isPeopleRole(base: readonly string[]): boolean {
  return isPeopleWord(base.at(-1) ?? '');
}
