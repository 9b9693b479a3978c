// A file that is only ever appended to, so that the operating system may refuse everything else (chattr +a).
import type { HeadDocument } from '../../domain/audit/proof-documents.ts';
import { writeSynced } from '../../files/synced.ts';

export function appendToWitness(path: string, head: HeadDocument): void {
  writeSynced(path, `${JSON.stringify(head)}\n`, 'a');
}
