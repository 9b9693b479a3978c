// Where the files of this package are: in the repository, where every subject has a folder below src/, and as packed,
// where all modules are in dist/server/. This module is two folders below the package in both.
import { extname } from 'node:path';

const PACKAGE = new URL('../../', import.meta.url);

export const packageFile = (path: string): URL => new URL(path, PACKAGE);

/**
 * The module that a thread or process of ours starts with. It is in the caller's folder and has the caller's extension:
 * `.ts` in the repository, `.js` as packed.
 */
export const entryBeside = (caller: string, name: string): URL =>
  new URL(`./${name}${extname(new URL(caller).pathname)}`, caller);
