// Escaped HTML has a type of its own, so that plain text cannot be used as HTML by mistake.

import { visibleLine } from '../domain/visible-text.ts';

export interface Markup {
  readonly html: string;
}

export function markup(html: string): Markup {
  return { html };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Control characters for the writing direction could make a line appear as another one. */
export function escapeHtml(text: string): string {
  return visibleLine(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** Changes only times in the usual form, which lose nothing but fractions of a second. */
export function readableTime(time: string): string {
  return time.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?Z$/, '$1 $2 UTC');
}

export function table(
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): Markup {
  const head = columns.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join('');
  const body = rows.map((cells) => `<tr>${cells.map(cell).join('')}</tr>`).join('\n');
  return markup(`<table>
<thead><tr>${head}</tr></thead>
<tbody>
${body}
</tbody>
</table>`);
}

function cell(value: string | number): string {
  return typeof value === 'number'
    ? `<td class="number">${value.toLocaleString('en')}</td>`
    : `<td>${escapeHtml(value)}</td>`;
}
