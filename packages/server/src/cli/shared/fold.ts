// Wraps long text for a terminal of 80 columns; continuation lines are indented.
const WIDTH = 80;

export function fold(text: string, indent: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const room = WIDTH - indent - (lines.length === 0 ? 0 : 4);
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines.map((it, place) => `${' '.repeat(place === 0 ? indent : indent + 4)}${it}`);
}
