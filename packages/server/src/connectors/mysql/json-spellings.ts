// All spellings of a name in a JSON text, as a regular expression: any character may be escaped.

const SHORT: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['\b', 'b'],
  ['\f', 'f'],
  ['\n', 'n'],
  ['\r', 'r'],
  ['\t', 't'],
]);

/** Matches the quoted name in any spelling except that of `JSON.stringify`. */
export function otherSpellings(name: string): string {
  const usual = literal(JSON.stringify(name));
  return `(?!${usual})"${[...name].map(spellings).join('')}"`;
}

function spellings(character: string): string {
  const units = Array.from({ length: character.length }, (_, place) => {
    const digits = character.charCodeAt(place).toString(16).padStart(4, '0');
    return `\\\\u${digits.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`;
  });
  const short = SHORT.get(character);
  const ways = [
    literal(character),
    ...(short === undefined ? [] : [`\\\\${literal(short)}`]),
    units.join(''),
  ];
  return `(?:${ways.join('|')})`;
}

function literal(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}\p{M}\s_]/gu, (character) =>
    /[!-~]/.test(character) ? `\\${character}` : character,
  );
}
