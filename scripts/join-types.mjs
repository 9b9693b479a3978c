// Joins the declarations that tsc wrote into one file for each entry, with only what the entry's exports need: tsc does
// not join them, and tools that do need a compiler API, which TypeScript 7 does not have. It relies on how tsc writes
// declarations: one statement after the other, none nested, and on names that are the same in all files.
import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

const IMPORT = /^(?:import|export) (?:type )?(?:\{[^}]*\}|\*|\* as \w+) from ['"]([^'"]+)['"];$/;
const DECLARED =
  /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class|function|const) (\w+)/;
const EXPORTED = /^export (?:type )?\{([^}]*)\}/;

/** `files`: the entry, and where packages of ours are found: `{ '@unwrite/protocol': 'protocol/src/index' }`. */
export function joinTypes(folder, entry, packages, elsewhere = { names: new Set(), from: '' }) {
  const declarations = new Map();
  const exported = namesOf(folder, entry, packages, declarations, new Set());
  const needed = new Set();
  const imported = new Set();
  const take = (name) => {
    if (elsewhere.names.has(name)) imported.add(name);
    else if (!needed.has(name)) {
      needed.add(name);
      for (const [word] of declarations.get(name).matchAll(/\b[A-Za-z_]\w*\b/g))
        if (word !== name && declarations.has(word)) take(word);
    }
  };
  for (const name of exported) take(name);
  const own = [...declarations].filter(([name]) => needed.has(name));
  const lines = [
    ...(imported.size > 0
      ? [`import type { ${[...imported].sort().join(', ')} } from '${elsewhere.from}';`]
      : []),
    ...own.map(([name, text]) =>
      exported.has(name) ? text : text.replace(/^((?:\/\*\*.*?\*\/\n)?)export /s, '$1'),
    ),
    'export {};',
  ];
  return { text: `${lines.join('\n')}\n`, names: exported };
}

/** What a file exports. The declarations of it and of those that it imports are added to `declarations`. */
function namesOf(folder, file, packages, declarations, seen) {
  const names = new Set();
  const isNew = !seen.has(file);
  seen.add(file);
  for (const statement of statementsOf(readFileSync(join(folder, `${file}.d.ts`), 'utf8'))) {
    const code = statement.replace(/^\/\*\*.*?\*\/\n/s, '');
    const [, id] = IMPORT.exec(code.replaceAll(/\s+/g, ' ')) ?? [];
    if (id !== undefined) {
      const target = packages[id] ?? (id.startsWith('.') ? resolve(file, id) : undefined);
      if (target === undefined) throw new Error(`${file} names ${id}, whose types are not packed`);
      const theirs = isNew ? namesOf(folder, target, packages, declarations, seen) : new Set();
      const [, listed] = EXPORTED.exec(code.replaceAll(/\s+/g, ' ')) ?? [];
      if (listed !== undefined)
        for (const name of listed.split(','))
          if (name.trim() !== '') names.add(name.replace('type ', '').trim());
      if (code.startsWith('export *')) for (const name of theirs) names.add(name);
      continue;
    }
    const [, name] = DECLARED.exec(code) ?? [];
    if (name === undefined) {
      if (/^export \{\s*\};$/.test(code)) continue;
      throw new Error(`${file} has a statement that is not understood: ${code.slice(0, 80)}`);
    }
    if (isNew && declarations.has(name))
      throw new Error(`${name} is declared twice, once in ${file}`);
    declarations.set(name, statement);
    if (code.startsWith('export')) names.add(name);
  }
  return names;
}

const resolve = (file, id) => posix.join(dirname(file), id).replace(/\.(js|ts)$/, '');

/** With the comment before each. Those of interfaces and classes end with a brace, all others with a semicolon. */
function statementsOf(text) {
  const statements = [];
  let lines = [];
  let depth = 0;
  let inComment = false;
  for (const line of text.split('\n')) {
    if (lines.length === 0 && line.trim() === '') continue;
    lines.push(line);
    if (inComment || line.startsWith('/*')) {
      inComment = !line.includes('*/');
      continue;
    }
    // Braces in comments of members would count too: they come in pairs.
    for (const [bracket] of line.replaceAll(/'[^']*'|"[^"]*"/g, '').matchAll(/[{}()[\]]/g))
      depth += '{(['.includes(bracket) ? 1 : -1;
    if (depth === 0 && /[;}]$/.test(line)) {
      statements.push(lines.join('\n'));
      lines = [];
    }
  }
  return statements;
}
