// Deletes rows, heads and records of the log that Unwrite did not write, after a person has accepted that.
import type { ChainedRow, Damage } from '../../../domain/audit/proof-ports.ts';
import type { Actor } from '../../../domain/task/operator-ports.ts';
import type { Transaction } from '../../sql.ts';
import { appendAudit, auditOf } from './append-audit.ts';
import { CHAINED_ROW } from './audit-chain.ts';

export async function acceptDamage(
  sql: Transaction,
  { rows, deleted, heads, cut }: Damage,
  by: Actor,
  reason: string,
): Promise<void> {
  await sql.lock('numbering audit rows');
  const macs = new Map(deleted.map(({ auditNo, mac }) => [auditNo, mac]));
  const found = await sql.all<ChainedRow>(
    `${CHAINED_ROW} WHERE audit_no = ANY(:numbers::bigint[])`,
    { numbers: [...macs.keys()] },
  );
  // A row of ours may have the number if another operator was first.
  const same = found.filter(({ auditNo, mac }) => mac === macs.get(auditNo));
  await sql.run('DELETE FROM @audit_rows WHERE audit_no = ANY(:numbers::bigint[])', {
    numbers: same.map(({ auditNo }) => auditNo),
  });
  for (const { headNo, signature } of heads) {
    await sql.run('DELETE FROM @audit_heads WHERE head_no = :headNo AND signature = :signature', {
      headNo,
      signature,
    });
  }
  if (cut !== undefined) {
    await sql.run('DELETE FROM @audit_cuts WHERE signature = :signature', {
      signature: cut.signature,
    });
  }
  const detail = {
    reason,
    rows,
    deleted_rows: same.map(({ auditNo }) => auditNo),
    deleted_heads: heads.map(({ headNo }) => headNo),
    deleted_cut: cut?.headNo ?? null,
  };
  await appendAudit(sql, [auditOf('audit.damage_accepted', by, detail)]);
}
