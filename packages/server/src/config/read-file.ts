// Reads unwrite.config.yaml; decides nothing.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Document, isScalar, parseDocument, visit } from 'yaml';

const DEFAULT_FILE = 'unwrite.config.yaml';

export interface ConfigFile {
  /** undefined where there is no file. */
  readonly path: string | undefined;
  readonly values: Record<string, unknown>;
  readonly problems: string[];
}

export function readConfigFile(explicit: string | undefined, directory: string): ConfigFile {
  const path = resolve(directory, explicit ?? DEFAULT_FILE);
  if (!existsSync(path)) {
    return explicit === undefined
      ? { path: undefined, values: {}, problems: [] }
      : { path, values: {}, problems: [`${path}: there is no such file`] };
  }
  let source: string;
  try {
    source = readFileSync(path, 'utf8');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    return { path, values: {}, problems: [`${path}: cannot be read (${reason})`] };
  }
  const document = parseDocument(source, { prettyErrors: true });
  if (document.errors.length > 0) {
    // The first line says what and where; those below quote the file, which may hold secrets.
    const problems = document.errors.map(({ message }) => `${path}: ${message.split('\n')[0]}`);
    return { path, values: {}, problems };
  }
  keepDigits(document);
  let values: unknown;
  try {
    values = document.toJS();
  } catch {
    const problem = `${path}: too much is repeated by aliases (*name); write the values out`;
    return { path, values: {}, problems: [problem] };
  }
  if (values === null || values === undefined) return { path, values: {}, problems: [] };
  if (typeof values !== 'object' || Array.isArray(values)) {
    return {
      path,
      values: {},
      problems: [`${path}: must hold settings, one "name: value" a line`],
    };
  }
  return { path, values: values as Record<string, unknown>, problems: [] };
}

/**
 * `007`, `0x2A`, `7e3`, `1.10` and a number too long for JavaScript may be ids or texts, not amounts: they stay as they
 * were written, and a setting that needs a number converts them itself.
 */
function keepDigits(document: Document.Parsed): void {
  visit(document, {
    Scalar(_, node) {
      if (!isScalar(node) || typeof node.value !== 'number') return;
      const { source } = node;
      if (source !== undefined && String(node.value) !== source) node.value = source;
    },
  });
}
