// Reads unwrite.config.yaml; decides nothing.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type Document,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type YAMLParseError,
} from 'yaml';
import { lineOfProblem } from './place-in-file.ts';
import { quoteLine } from './quote-line.ts';

const DEFAULT_FILE = 'unwrite.config.yaml';

export interface ConfigFile {
  /** Undefined if there is no file. */
  readonly path: string | undefined;
  readonly values: Record<string, unknown>;
  readonly problems: string[];
  /** The problem with its file and, if it can be found, its line. */
  withLocation(problem: string): string;
}

export function readConfigFile(explicit: string | undefined, directory: string): ConfigFile {
  const path = resolve(directory, explicit ?? DEFAULT_FILE);
  if (!existsSync(path)) {
    return explicit === undefined
      ? { ...withoutValues(path, []), path: undefined }
      : withoutValues(path, ['there is no such file']);
  }
  let source: string;
  try {
    source = readFileSync(path, 'utf8');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    return withoutValues(path, [`cannot be read (${reason})`]);
  }
  return readYaml(path, source);
}

function readYaml(path: string, source: string): ConfigFile {
  const lineCounter = new LineCounter();
  const document = parseDocument(source, { prettyErrors: true, lineCounter });
  if (document.errors.length > 0) {
    const problems = document.errors.map((error) => describeError(path, source, error));
    return { ...withoutValues(path, []), problems };
  }
  keepNumberSpelling(document);
  let values: unknown;
  try {
    values = document.toJS();
  } catch {
    return withoutValues(path, ['aliases (*name) expand to too much; write the values out']);
  }
  if (values === null || values === undefined) return withoutValues(path, []);
  if (typeof values !== 'object' || Array.isArray(values)) {
    return withoutValues(path, ['must hold settings, one "name: value" per line']);
  }
  return {
    path,
    values: values as Record<string, unknown>,
    problems: [],
    withLocation(problem) {
      const line = lineOfProblem(problem, document.contents, lineCounter);
      return `${line === undefined ? path : `${path}:${line}`}: ${problem}`;
    },
  };
}

function withoutValues(path: string, problems: readonly string[]): ConfigFile {
  const withLocation = (problem: string) => `${path}: ${problem}`;
  return { path, values: {}, problems: problems.map(withLocation), withLocation };
}

/** The parser's first line says what is wrong and where; the lines below quote the file, which may hold secrets. */
function describeError(path: string, source: string, { message, linePos }: YAMLParseError): string {
  const [what = ''] = message.split('\n');
  const [at] = linePos ?? [];
  if (at === undefined) return `${path}: ${what}`;
  const said = what.replace(/ at line \d+, column \d+:?$/, '');
  return `${path}:${at.line}:${at.col}: ${said}\n${quoteLine(source, at.line, at.col)}`;
}

/**
 * `007`, `0x2A`, `7e3`, `1.10` and numbers too long for JavaScript may be ids or texts: they keep their spelling, and
 * a setting that needs a number converts them itself.
 */
function keepNumberSpelling(document: Document.Parsed): void {
  visit(document, {
    Scalar(_, node) {
      if (!isScalar(node) || typeof node.value !== 'number') return;
      const { source } = node;
      if (source !== undefined && String(node.value) !== source) node.value = source;
    },
  });
}
