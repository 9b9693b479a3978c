import type { VerifyingStatement } from '../../../domain/target/connector.ts';
import type { StatementsWork } from '../../../domain/target/target.ts';
import { cutEnd } from '../cut-end.ts';

interface Verifying {
  readonly name: 'preview' | 'verify';
  readonly by: VerifyingStatement;
}

/** Written the same, it is the preview that has to count nothing, and the evidence says so. */
export function verifyingStatement({ preview, verify }: StatementsWork): Verifying {
  return plain(preview) === plain(verify)
    ? { name: 'preview', by: 'sql.preview' }
    : { name: 'verify', by: 'sql.verify' };
}

/** White space and a semicolon at the end make no other statement. */
function plain(sql: string): string {
  return cutEnd(sql.replaceAll(/\s+/g, ' '), ' ;').trim();
}
