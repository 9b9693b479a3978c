// Cuts a file into parts that fit into one call each.

/** Of a part as it is sent: quotation marks escaped, in UTF-8. The server takes 256 KiB. */
const MAX_BYTES = 200_000;

/** A receipt is one document and stays whole; an export is cut between two lines. */
export function partsOf(content: string): string[] {
  if (bytesOf(content) <= MAX_BYTES || isDocument(content)) return [content];
  const parts: string[] = [];
  let part: string[] = [];
  let size = 0;
  for (const line of content.split('\n')) {
    const bytes = bytesOf(line);
    if (part.length > 0 && size + bytes > MAX_BYTES) {
      parts.push(part.join('\n'));
      part = [];
      size = 0;
    }
    part.push(line);
    size += bytes;
  }
  return [...parts, part.join('\n')].filter((it) => it.trim() !== '');
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(JSON.stringify(text)).length;
}

function isDocument(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
