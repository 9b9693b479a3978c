import { statSync } from 'node:fs';

/** Opening a pipe would wait for its other end, in this thread. A file that does not exist is none. */
export function requireRegular(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return;
  const code = found.isDirectory() ? 'EISDIR' : 'EINVAL';
  throw Object.assign(new Error(`${path} is not a regular file`), { code, syscall: 'open' });
}
