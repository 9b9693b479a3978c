// Looks for marks, of letters and digits alone, in bytes of any kind: in clear in either case, in
// UTF-16, in hexadecimal, and in base64 at each of its three alignments.

export type FindLeaks = (place: string, bytes: Uint8Array | string) => string[];

export function createFindLeaks(marks: readonly string[]): FindLeaks {
  const needles = marks.flatMap(needlesOf);
  return (place, content) => {
    const bytes = Buffer.from(content);
    const folded = Buffer.from(bytes.toString('latin1').toLowerCase(), 'latin1');
    return needles
      .filter(({ needle, anyCase }) => (anyCase ? folded : bytes).includes(needle))
      .map(({ mark, encoding }) => `${place} holds ${mark} in ${encoding}`);
  };
}

function needlesOf(mark: string) {
  const needle = (encoding: string, needle: Buffer, anyCase: boolean) => ({
    mark,
    encoding,
    needle,
    anyCase,
  });
  const lower = mark.toLowerCase();
  return [
    needle('clear', Buffer.from(lower), true),
    needle('UTF-16', Buffer.from(lower, 'utf16le'), true),
    needle('hexadecimal', Buffer.from(Buffer.from(mark).toString('hex')), true),
    ...[0, 1, 2].map((offset) => needle('base64', base64At(mark, offset), false)),
  ];
}

/** The characters that stand for the mark alone, when so many bytes of its last group precede it. */
function base64At(mark: string, offset: number): Buffer {
  const text = Buffer.concat([Buffer.alloc(offset), Buffer.from(mark)]).toString('base64');
  const start = Math.ceil((offset * 8) / 6);
  const end = Math.floor(((offset + mark.length) * 8) / 6);
  return Buffer.from(text.slice(start, end));
}
