// Writes a draft plan as YAML with comments. "draft: true" prevents it from being used unchanged.
import type { Doubt, SuggestedPlan, SuggestedTable, TableRemark } from './suggested-plan.ts';
import { writeComment, writeList, writeMap, writeScalar } from './write-yaml.ts';

export interface WrittenTarget {
  readonly name: string;
  readonly connector: string;
  /** `url: …` or `file: …`, or a comment if it may contain a password. */
  readonly address: string;
  /** What the file says of tenancy already; then it is not asked. */
  readonly tenancy: readonly string[];
}

const IN_TARGET = 4;
const IN_TABLES = 6;

export function writePlan(target: WrittenTarget, plan: SuggestedPlan): string {
  const { name, connector, address, tenancy } = target;
  return [
    ...writeComment(
      `A first plan for ${name}, from the names of its tables and columns and from its foreign keys; no row was read. Names say little about what rows mean. Read each line, decide what is marked with "?", take out what holds no personal data, and add what is missing. Then remove "draft: true", and look at it with: unwrite target check ${name}`,
      0,
    ),
    'targets:',
    `  ${writeScalar(name)}:`,
    '    draft: true # refused as long as this line is here',
    `    connector: ${connector}`,
    `    ${address}`,
    '    mode: preview # counts and holds; nothing is erased until you release it',
    ...(tenancy.length > 0 ? tenancy.map((line) => `    ${line}`) : writeTenancy(plan)),
    ...writeBeside(plan),
    ...writeTables(plan.tables),
    ...writeRemarks(plan.unclear, 'Not in the plan, to be reviewed:', '? '),
    ...writeRemarks(plan.others, 'Not in the plan:', ''),
    '',
  ].join('\n');
}

function writeTenancy({ tenant }: SuggestedPlan): string[] {
  const others = ['controllers: [<controller_id>]', 'tenancy: none'];
  if (tenant === undefined)
    return [
      ...writeComment(
        "Whose rows are whose: keep one of these lines. The first where the whole database is one controller's, the second where rows need not be separated by controller, the third where a column tells them apart.",
        IN_TARGET,
        '? ',
      ),
      ...[...others, 'tenant_column: <column>'].map((line) => `    # ${line}`),
    ];
  return [
    ...writeComment(
      `${tenant.column} is in ${tenant.tables.length} tables. Does it say whose a row is, by the controller_id? Where it holds another value, list the values under "tenants"; where it says something else, write ${others.join(' or ')} instead.`,
      IN_TARGET,
      '? ',
    ),
    `    tenant_column: ${writeScalar(tenant.column)}`,
  ];
}

function writeBeside({ detach, triggers, resolve }: SuggestedPlan): string[] {
  const lines: string[] = [];
  if (detach.length > 0)
    lines.push(
      ...writeComment(
        'References in rows that stay, to rows that go. They become NULL: is that right?',
        IN_TARGET,
        '? ',
      ),
      `    detach: ${writeList(detach)}`,
    );
  if (triggers.length > 0)
    lines.push(
      ...writeComment(
        "Triggers that fire when rows of these tables go. Read them; one that copies rows keeps the person's data.",
        IN_TARGET,
        '? ',
      ),
      `    # triggers: ${writeList(triggers)}`,
    );
  if (resolve !== undefined) {
    const { table, email, customerId } = resolve;
    const map = writeMap([
      ['table', writeScalar(table)],
      ['from', writeMap([['email', writeScalar(email)]])],
      ['to', writeMap([['controller_customer_id', writeScalar(customerId)]])],
    ]);
    lines.push(
      ...writeComment(
        'Some tables know a person by one kind of identity only. This looks up the other:',
        IN_TARGET,
        '? ',
      ),
      `    # resolve: ${map}`,
    );
  }
  return lines;
}

function writeTables(tables: readonly SuggestedTable[]): string[] {
  if (tables.length === 0)
    return [
      ...writeComment(
        'No table has a column that looks like an email or a customer id. Name the tables yourself:',
        IN_TARGET,
        '? ',
      ),
      '    tables: []',
    ];
  return ['    tables: # erased in this order', ...tables.flatMap(writeTable)];
}

function writeTable({ table, notes, doubts, lines }: SuggestedTable): string[] {
  return [
    ...notes.flatMap((note) => writeComment(note, IN_TABLES)),
    ...doubts.flatMap((doubt) => writeDoubt(doubt, IN_TABLES, '? ')),
    `      - table: ${writeScalar(table)}`,
    ...lines.flatMap(({ text, doubts: own = [] }) => [
      ...own.flatMap((doubt) => writeComment(doubt, IN_TABLES + 2, '? ')),
      ...[text].flat().map((line) => `        ${line}`),
    ]),
  ];
}

function writeDoubt({ text, example = [] }: Doubt, indent: number, mark: '' | '? '): string[] {
  return [
    ...writeComment(text, indent, mark, 2),
    ...example.map((line) => `${' '.repeat(indent)}#   ${line}`),
  ];
}

function writeRemarks(remarks: readonly TableRemark[], title: string, mark: '' | '? '): string[] {
  if (remarks.length === 0) return [];
  return [
    ...writeComment(title, IN_TARGET),
    ...remarks.flatMap(({ table, text, example = [] }) =>
      writeDoubt({ text: `${table}: ${text}`, example }, IN_TARGET, mark),
    ),
  ];
}
