// Changes parts of a JSON text, and leaves the rest of the text unchanged.
import { readJsonPath } from '../../../domain/target/json-path.ts';
import type { JsonChange } from '../../../domain/target/target.ts';
import { findSpans, isEncodedThere, type Span } from '../json-spans.ts';

type Changes = Readonly<Record<string, JsonChange>>;

interface Edit extends Span {
  readonly change: JsonChange;
}

/** Undefined if the text is not JSON, or has the part inside JSON that is encoded twice. */
export function changeJson(text: string, changes: Changes): string | undefined {
  if (text.trim() === '') return text;
  const edits = editsOf(text, changes);
  if (edits === undefined) return undefined;
  let changed = text;
  // From the end, so that earlier positions stay valid. No span is within another.
  for (const edit of edits.sort((a, b) => b.start - a.start)) {
    const { start, end, memberStart, change } = edit;
    changed =
      change.kind === 'remove'
        ? withoutMember(changed, memberStart, end)
        : changed.slice(0, start) + JSON.stringify(change.value) + changed.slice(end);
  }
  return changed;
}

/** Whether there is nothing left to change. False for a text that is not JSON. */
export function isJsonChanged(text: string, changes: Changes): boolean {
  if (text.trim() === '') return true;
  const edits = editsOf(text, changes);
  return (
    edits?.every(
      ({ start, end, change }) =>
        change.kind === 'value' && JSON.parse(text.slice(start, end)) === change.value,
    ) === true
  );
}

function editsOf(text: string, changes: Changes): Edit[] | undefined {
  const edits: Edit[] = [];
  for (const [written, change] of Object.entries(changes)) {
    const read = readJsonPath(written);
    const found = 'path' in read ? findSpans(text, read.path) : undefined;
    if (found === undefined || isEncodedThere(found)) return undefined;
    edits.push(...found.spans.map((span) => ({ ...span, change })));
  }
  return edits;
}

/** Removes the comma after it or, for the last member, the one before. */
function withoutMember(text: string, start: number, end: number): string {
  const before = text.slice(0, start);
  const after = text.slice(end);
  if (/^\s*,/.test(after)) return before + after.replace(/^\s*,\s*/, '');
  const kept = before.trimEnd();
  return (kept.endsWith(',') ? kept.slice(0, -1).trimEnd() : before) + after;
}
