// Texts from outside (names, notes, reasons) where a person reads them. Characters that steer a terminal, turn the
// direction of writing or cannot be seen would let one text pass for another: they are shown as `\u202e`.

/** Controls, marks and overrides of direction, separators of lines, and what has no width. */
const HIDDEN =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
const LINE_BREAKS = /[\t\r\n]+/g;

function visible(text: string): string {
  return text.replaceAll(HIDDEN, escaped);
}

/** Line breaks and tabs as blanks: for cells of a table. */
export function visibleLine(text: string): string {
  return visible(text.replaceAll(LINE_BREAKS, ' '));
}

/**
 * Line breaks stay: for texts that have several lines of our own. JSON, and YAML that quotes as JSON does, mean
 * the same afterwards.
 */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

function escaped(character: string): string {
  // JSON knows only four digits: what lies beyond is written as two halves.
  return Array.from({ length: character.length }, (_, place) => {
    const code = character.charCodeAt(place).toString(16).padStart(4, '0');
    return `\\u${code}`;
  }).join('');
}
