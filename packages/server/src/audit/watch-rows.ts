// The MAC of a row is not part of the tree, but starts, leases and pauses depend on it. So it is checked when
// the row is read.
import type { ChainedRow } from '../domain/audit/proof-ports.ts';
import type { VerifiableChain } from './verifiable-chain.ts';

export interface WatchedRows {
  readonly chain: VerifiableChain;
  /** Rows with a wrong MAC, without those that `problems` already names. */
  strangeRows(problems: readonly string[]): string[];
}

export function watchRows(
  chain: VerifiableChain,
  isAuthentic: ((row: ChainedRow) => boolean) | undefined,
): WatchedRows {
  const strange = new Set<number>();
  if (isAuthentic === undefined) return { chain, strangeRows: () => [] };
  type Read = (from: number, to: number) => Promise<ChainedRow[]>;
  const watched = (read: Read): Read => {
    return async (from, to) => {
      const rows = await read(from, to);
      for (const row of rows) if (!isAuthentic(row)) strange.add(row.auditNo);
      return rows;
    };
  };
  return {
    chain: { ...chain, rows: watched(chain.rows), rowsAfter: watched(chain.rowsAfter) },
    strangeRows: (problems) =>
      [...strange]
        .filter((auditNo) => !problems.some((one) => one.startsWith(`row ${auditNo} was `)))
        .map(
          (auditNo) =>
            `row ${auditNo} does not carry our MAC: it was not written by Unwrite, or was changed`,
        ),
  };
}
