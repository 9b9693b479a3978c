// Wraps long text to the terminal's width, or to 80 columns without a terminal; continuation lines are indented.
import { terminalWidth } from './output.ts';

const USUAL_WIDTH = 80;

export function fold(text: string, indent: number): string[] {
  const width = terminalWidth() ?? USUAL_WIDTH;
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const room = width - indent - (lines.length === 0 ? 0 : 4);
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines.map((it, place) => `${' '.repeat(place === 0 ? indent : indent + 4)}${it}`);
}
