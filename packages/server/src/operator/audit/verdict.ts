// Whether the audit log is unchanged since it was sealed, as plain data and in words.
import { isoTime } from '../iso-time.ts';

/** The result of audit/verify-audit.ts. */
export interface Verdict {
  readonly problems: readonly string[];
  readonly accepted: readonly string[];
  readonly heads: number;
  readonly rows: number;
  readonly unsealed: number;
  readonly cut: { readonly heads: number; readonly lastAuditNo: number; readonly time: number };
  readonly last: { readonly headNo: number; readonly hash: string } | undefined;
}

export function verdictShape({ problems, accepted, heads, rows, unsealed, cut, last }: Verdict) {
  return {
    ok: problems.length === 0,
    problems,
    accepted,
    heads,
    rows,
    unsealed_rows: unsealed,
    cut_heads: cut.heads,
    cut_until: cut.heads === 0 ? null : { audit_no: cut.lastAuditNo, time: isoTime(cut.time) },
    last_head: last === undefined ? null : { head_no: last.headNo, hash: last.hash },
  };
}

/** Lines that describe a log without problems. */
export function verdictWords({ accepted, heads, rows, unsealed, cut, last }: Verdict): string[] {
  return [
    `The audit log is unchanged since it was sealed: ${counted(rows, 'row')}, ${counted(heads, 'head')}.`,
    ...accepted.map((place) => `Accepted by an operator: ${place}.`),
    ...(unsealed === 0
      ? []
      : [`Newer than the last head, and not sealed yet: ${counted(unsealed, 'row')}.`]),
    ...(cut.heads === 0
      ? []
      : [
          `The rows of ${counted(cut.heads, 'head')}, up to row ${cut.lastAuditNo}, were removed by retention; the last was sealed at ${isoTime(cut.time)}.`,
        ]),
    ...(last === undefined ? [] : [`Last head: ${last.headNo}:${last.hash}`]),
  ];
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
