// Cuts a file into parts that fit into one call each.

/** Size of a part as it is sent: quotation marks escaped, in UTF-8. The server accepts 256 KiB. */
const MAX_BYTES = 200_000;

export interface PartOfFile {
  readonly content: string;
  /** The number of its first line in the file. */
  readonly firstLine: number;
}

/** A receipt is one document and stays whole; an export is cut between two lines. */
export function partsOf(content: string): PartOfFile[] {
  if (bytesOf(content) <= MAX_BYTES || isDocument(content)) return [{ content, firstLine: 1 }];
  const parts: PartOfFile[] = [];
  let part: string[] = [];
  let size = 0;
  let firstLine = 1;
  const end = () => {
    parts.push({ content: part.join('\n'), firstLine });
    firstLine += part.length;
    part = [];
    size = 0;
  };
  for (const line of content.split('\n')) {
    const bytes = bytesOf(line);
    if (part.length > 0 && size + bytes > MAX_BYTES) end();
    part.push(line);
    size += bytes;
  }
  end();
  return parts.filter((it) => it.content.trim() !== '');
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
