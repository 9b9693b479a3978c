// Whether a hand-written statement, judged by its text, deletes rows of a table or changes columns they are found by.

/** The table may be in any schema. `columns`: those that must not change. */
export function takesRows(statement: string, table: string, columns: readonly string[]): boolean {
  const sql = statement.replaceAll(QUOTES, '').replaceAll(COMMENT, ' ');
  const name = `(?:[\\w$]+\\.)*${escaped(table.slice(table.lastIndexOf('.') + 1))}(?![\\w$.])`;
  const deletes = new RegExp(
    `\\b(?:delete\\s+from|truncate(?:\\s+table)?|replace\\s+into)\\s+(?:only\\s+)?${name}`,
    'i',
  );
  // MySQL's form for several tables: DELETE u FROM users u JOIN …
  const deletesJoined = new RegExp(
    `\\bdelete\\s+(?!from\\b)[^;]*?\\bfrom\\b[^;]*?(?<![\\w$.])${name}`,
    'i',
  );
  const changes = new RegExp(
    `\\bupdate\\s+(?:only\\s+|ignore\\s+|or\\s+\\w+\\s+)?${name}[^;]*?\\bset\\b(?<set>[^;]*)`,
    'i',
  );
  const set = changes.exec(sql)?.groups?.set ?? '';
  const isChanged = columns.some((column) =>
    new RegExp(`(?<![\\w$])${escaped(column)}\\s*(?:=|,[^=()]*\\)\\s*=|\\)\\s*=)`, 'i').test(
      beforeWhere(set),
    ),
  );
  return deletes.test(sql) || deletesJoined.test(sql) || isChanged;
}

const QUOTES = /["`[\]]/g;
const COMMENT = /--[^\n]*|\/\*[\s\S]*?\*\//g;

const beforeWhere = (set: string) => set.split(/\bwhere\b/i)[0] ?? '';

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
