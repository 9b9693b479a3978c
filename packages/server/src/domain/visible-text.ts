// Makes texts from outside (names, notes, reasons) safe to display. Characters that control a terminal, change
// the writing direction or are invisible could make one text look like another: they are shown as `\u202e`.

/** Control characters, direction marks and overrides, line separators, and characters without width. */
const HIDDEN =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
const LINE_BREAKS = /[\t\r\n]+/g;

function visible(text: string): string {
  return text.replaceAll(HIDDEN, escaped);
}

/** Also replaces line breaks and tabs with blanks, for cells of a table. */
export function visibleLine(text: string): string {
  return visible(text.replaceAll(LINE_BREAKS, ' '));
}

/**
 * Keeps line breaks, for texts that we wrote in several lines. JSON, and YAML with JSON's quoting, keep their
 * meaning.
 */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

function escaped(character: string): string {
  // A JSON escape has four digits: a character beyond that range is written as two halves.
  return Array.from({ length: character.length }, (_, place) => {
    const code = character.charCodeAt(place).toString(16).padStart(4, '0');
    return `\\u${code}`;
  }).join('');
}
