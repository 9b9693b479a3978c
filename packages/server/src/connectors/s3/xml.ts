// The little XML that S3 speaks: elements without attributes that matter, and texts without CDATA.

/** What is inside each element of this name. */
export function elementsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([\\s\\S]*?)</${name}>`, 'g'))].map(
    ([, inside = '']) => inside,
  );
}

export function textOf(xml: string, name: string): string | undefined {
  const [first] = elementsOf(xml, name);
  return first === undefined ? undefined : unescapeXml(first);
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function unescapeXml(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}

/** Line ends too: a reader may change those that are written plainly. */
export function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"'\r\n\t]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
