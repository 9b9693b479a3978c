// A trigger that catches its own error raises a WARNING at most: what it was to change, such as a copy of the row, stays as
// it was, and no number shows it. So an operator decides once for each code.
import type { SqlTargetConfig } from '../../../domain/target/target.ts';
import { NeedsDecision } from '../needs-decision.ts';
import type { SqlSession } from '../session.ts';

/** What accepts a code, with the code behind it. */
export const WARNING = 'warning:';

export interface WatchedWarnings {
  readonly session: SqlSession;
  /** Throws NeedsDecision if there was one whose code is not accepted. */
  refuse(accept: SqlTargetConfig['accept']): void;
}

export function watchWarnings(session: SqlSession): WatchedWarnings {
  /** The table of the first statement that raised it, by code. */
  const raised = new Map<string, string>();
  return {
    session: {
      async query(sql, values) {
        const result = await session.query(sql, values);
        for (const code of result.warnings ?? [])
          if (!raised.has(code)) raised.set(code, tableIn(sql));
        return result;
      },
    },
    refuse(accept) {
      const open = [...raised].filter(([code]) => !Object.hasOwn(accept, WARNING + code));
      const [first] = open;
      if (first === undefined) return;
      const accepted = open.map(([code]) => `"${WARNING}${code}": "…"`).join(', ');
      throw new NeedsDecision(
        'unplanned_change',
        `the database raised the WARNING ${first[0]} when ${first[1]}, so the attempt was ended: a trigger that catches its own error does that, and leaves what it was to change, such as a copy of the row. Its text may be in the server's log. Correct the trigger, then release; or accept it with a reason: accept: { ${accepted} }; reload, then release`,
      );
    },
  };
}

/** From the statement, because a WARNING says nothing of it, and its text may quote data. */
function tableIn(sql: string): string {
  const named =
    /^\s*(?:UPDATE|DELETE\s+FROM|INSERT\s+INTO)\s+(?:ONLY\s+)?((?:"[^"]*"|`[^`]*`|[\w$.])+)/i.exec(
      sql,
    );
  const [, table] = named ?? [];
  return table === undefined
    ? 'rows were changed'
    : `rows of ${table.replaceAll(/["`]/g, '')} were changed`;
}
