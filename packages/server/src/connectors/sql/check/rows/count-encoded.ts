// Counts documents that contain JSON as a text, encoded twice: a path does not lead into it. It reads rows, so
// it is not part of the gate.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import { findSpans, isEncodedThere } from '../../json-spans.ts';
import type { PlannedMatch, PlannedTable } from '../../plan/plan.ts';
import type { SqlValue } from '../../session.ts';
import { textAt } from '../../statement.ts';
import { writeJsonPath } from '../../write-json-path.ts';
import type { CheckContext } from '../check-context.ts';
import { warning } from '../line.ts';

/** How many documents are read for each place. */
const MOST = 1000;

export async function countEncoded(
  context: CheckContext,
  table: string,
  entries: readonly PlannedTable[],
): Promise<CheckLine[]> {
  const places = new Map(
    entries.flatMap(({ matches, sqlName }) =>
      matches.map((match): [string, { match: PlannedMatch; sqlName: string }] => [
        `${match.column.name} ${JSON.stringify(match.path)}`,
        { match, sqlName },
      ]),
    ),
  );
  const lines: CheckLine[] = [];
  for (const { match, sqlName } of places.values()) {
    const { column, path } = match;
    if (path === null) continue;
    const { dialect } = context;
    const values: SqlValue[] = [];
    const onWay = dialect.hasTextOnWay(column, path, (value) =>
      dialect.placeholder(values.push(value)),
    );
    const rows = await context.read(
      `SELECT ${dialect.readDocument(column)} AS v FROM ${sqlName} WHERE ${onWay} LIMIT ${MOST}`,
      values,
    );
    const encoded = rows.filter((row) => {
      const found = findSpans(textAt(row, 'v') ?? '', path);
      return found !== undefined && isEncodedThere(found);
    });
    if (encoded.length === 0) continue;
    const count = encoded.length === 1 ? '1 row has' : `${encoded.length} rows have`;
    lines.push(
      warning(
        table,
        `${count} JSON as a text inside the JSON of "${column.name}" (encoded twice), where ${writeJsonPath(path)} does not lead: a request is held, or nothing is found there; write the documents as JSON`,
      ),
    );
  }
  return lines;
}
