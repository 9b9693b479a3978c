// Finds the tables that the text of a trigger function writes to, as far as it can be read: statements
// assembled at run time (EXECUTE) and other functions are not covered.

export interface FunctionWrite {
  readonly right: 'INSERT' | 'UPDATE' | 'DELETE';
  /** As written, with its schema and quotes. */
  readonly table: string;
}

const NAME = String.raw`(?:"[^"]+"|[\p{L}_][\p{L}\p{N}_$]*)`;
const WRITES = new RegExp(
  String.raw`(\b(?:for|do|key)\s+)?\b(insert\s+into|update|delete\s+from)\s+(?:only\s+)?(${NAME}(?:\s*\.\s*${NAME})?)`,
  'giu',
);
const TEMPORARY = new RegExp(
  String.raw`\bcreate\s+(?:local\s+|global\s+)?temp(?:orary)?\s+table\s+(?:if\s+not\s+exists\s+)?(${NAME})`,
  'giu',
);

export function writesIn(source: string): FunctionWrite[] {
  const text = withoutTexts(source);
  const own = new Set([...text.matchAll(TEMPORARY)].map(([, name = '']) => name.toLowerCase()));
  const writes = [...text.matchAll(WRITES)].flatMap(
    ([, lock, verb = '', table = '']): FunctionWrite[] => {
      // SELECT … FOR UPDATE, and ON CONFLICT DO UPDATE SET.
      if (lock !== undefined || own.has(table.toLowerCase())) return [];
      const right = (verb.split(/\s/)[0] ?? '').toUpperCase() as FunctionWrite['right'];
      return [{ right, table: table.replaceAll(/\s/g, '') }];
    },
  );
  return [...new Map(writes.map((write) => [`${write.right} ${write.table}`, write])).values()];
}

/** Removes comments and quoted or dollar-quoted texts. */
function withoutTexts(source: string): string {
  return source.replaceAll(
    /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$/g,
    ' ',
  );
}
