// The files of the processor's certificate, looked at for changes without reading them.
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { CertificateProblem } from './certificate-problem.ts';

/** A value, or the path of a file that holds it. */
export type ValueOrFile = { readonly value: string } | { readonly file: string };

export function readValueOrFile(from: ValueOrFile, setting: string): string {
  if ('value' in from) return from.value;
  try {
    return readFileSync(from.file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CertificateProblem(`${setting}: ${from.file} cannot be read (${code})`);
  }
}

/** Differs after the file was written, or replaced; empty for a value, which cannot change. */
export async function stampOf(from: ValueOrFile): Promise<string> {
  if ('value' in from) return '';
  try {
    const { ino, size, mtimeMs, ctimeMs } = await stat(from.file);
    return [ino, size, mtimeMs, ctimeMs].join(' ');
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}
