// The built console: a page, and assets whose names contain a digest of their content, each in three encodings.
// Read on the first call, because most servers never serve it.
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** In order of preference. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

export interface Asset {
  readonly type: string;
  readonly encoding: string | undefined;
  readonly content: Buffer;
}

export interface BuiltFiles {
  /** The page, with a placeholder for the nonce; undefined if the console was not built. */
  page(): Promise<string | undefined>;
  asset(name: string, acceptEncoding: string): Promise<Asset | undefined>;
}

export function openBuiltFiles(folder: string): BuiltFiles {
  const assets = join(folder, 'assets');
  let names: ReadonlySet<string> | undefined;
  let page: Promise<string> | undefined;
  const contents = new Map<string, Promise<Buffer>>();

  /** Names from outside are compared with this list and never become a path. */
  function known(): ReadonlySet<string> {
    names ??= new Set(existsSync(assets) ? readdirSync(assets) : []);
    return names;
  }

  function read(name: string): Promise<Buffer> {
    const found = contents.get(name) ?? readFile(join(assets, name));
    contents.set(name, found);
    return found;
  }

  return {
    async page() {
      const path = join(folder, 'index.html');
      if (page === undefined && !existsSync(path)) return undefined;
      page ??= readFile(path, 'utf8');
      return page;
    },
    async asset(name, acceptEncoding) {
      const type = TYPES[extname(name)];
      if (type === undefined || !known().has(name)) return undefined;
      const accepted = ENCODINGS.find(
        (encoding) =>
          known().has(`${name}${encoding.suffix}`) && accepts(acceptEncoding, encoding.name),
      );
      const content = await read(`${name}${accepted?.suffix ?? ''}`);
      return { type, encoding: accepted?.name, content };
    },
  };
}

function accepts(header: string, encoding: string): boolean {
  return header
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .some((part) => part.split(';')[0]?.trim() === encoding && !/;\s*q=0(\.0*)?$/.test(part));
}
