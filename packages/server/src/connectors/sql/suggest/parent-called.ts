// Finds the table that a column name means: `comment_post_id` refers to comment_posts, or else to posts.
import type { Catalogue, TableShape } from '../catalogue.ts';
import { signsOf } from '../personal/column-signs.ts';
import { beginsWith, endsWith, tableWords } from '../personal/name-words.ts';

/** Prefers a table with the same prefix as the child. */
export function parentCalled(
  base: readonly string[],
  child: TableShape,
  catalogue: Catalogue,
  /** Whether all words of the name must match. */
  isWhole = false,
): TableShape | undefined {
  const own = tableWords(child.table);
  for (let from = 0; from < (isWhole ? 1 : base.length); from++) {
    const end = base.slice(from);
    const ending = [...catalogue.values()].filter(({ table }) => endsWith(tableWords(table), end));
    const beside = ending.filter(({ table }) =>
      beginsWith(own, tableWords(table).slice(0, -end.length)),
    );
    const people = ending.filter((shape) => signsOf(shape).emails.length > 0);
    const candidates = beside.length > 0 ? beside : people.length === 1 ? people : [];
    // topic_users.user_id refers to a user; users.user_id is the row's own id.
    const isOwn = own.join() === end.join();
    const others = isOwn ? [] : candidates.filter(({ table }) => table !== child.table);
    const found =
      others.find((shape) => signsOf(shape).emails.length > 0) ??
      others.find(({ table }) => tableWords(table).join() === end.join()) ??
      others[0] ??
      candidates[0];
    if (found !== undefined) return found;
  }
  return undefined;
}
