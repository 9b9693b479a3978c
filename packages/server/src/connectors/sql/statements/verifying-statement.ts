import type { VerifyingStatement } from '../../../domain/target/connector.ts';
import type { StatementsWork } from '../../../domain/target/target.ts';
import { cutEnd } from '../cut-end.ts';

interface Verifying {
  readonly name: 'preview' | 'verify';
  readonly by: VerifyingStatement;
}

/** If both are written the same, the preview itself must count nothing, and the evidence says so. */
export function verifyingStatement({ preview, verify }: StatementsWork): Verifying {
  return plain(preview) === plain(verify)
    ? { name: 'preview', by: 'sql.preview' }
    : { name: 'verify', by: 'sql.verify' };
}

/** White space and a final semicolon do not make a different statement. */
function plain(sql: string): string {
  return cutEnd(sql.replaceAll(/\s+/g, ' '), ' ;').trim();
}
