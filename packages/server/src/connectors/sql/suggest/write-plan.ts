// Writes a draft plan as YAML with comments. "draft: true" prevents it from being used unchanged.
import type { Doubt, PlannedEntry, SuggestedPlan, TableRemark } from './suggested-plan.ts';
import { writeComment, writeList, writeMap, writeScalar } from './write-yaml.ts';

export interface WrittenTarget {
  readonly name: string;
  readonly connector: string;
  /** `url: …` or `file: …`, or a comment if it may contain a password. */
  readonly address: string;
  /** What the file says of tenancy already; then it is not asked. */
  readonly tenancy: readonly string[];
  readonly tenantColumn: string | null;
}

const IN_TARGET = 4;
const IN_TABLES = 6;

export function writePlan(target: WrittenTarget, plan: SuggestedPlan): string {
  const { name, connector, address, tenancy } = target;
  return [
    ...writeComment(
      `A first plan for ${name}, from the names of its tables and columns and from its foreign keys; no row was read. Names say little about what rows mean. Read each line, and answer what is marked with "?". What begins with #1 is left out until question 1 is answered: if yes, remove "#1 " from its lines. Then remove "draft: true", and look at it with: unwrite target check ${name}`,
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
    ...writeQuestions(plan.questions),
    ...writeLeftOut(plan.leftOut),
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

function writeTables(tables: readonly PlannedEntry[]): string[] {
  if (tables.length === 0)
    return [
      ...writeComment(
        'No table has a column that looks like an email or a customer id. Name the tables yourself:',
        IN_TARGET,
        '? ',
      ),
      '    tables: []',
    ];
  return ['    tables: # erased in this order', ...tables.flatMap(writeEntry)];
}

function writeEntry({ table, notes, lines, question }: PlannedEntry): string[] {
  const indent = ' '.repeat(IN_TABLES);
  const mark = question === undefined ? '' : `#${question} `;
  const text = [`- table: ${writeScalar(table)}`, ...lines.map((line) => `  ${line}`)];
  return [
    ...(notes.length === 0 ? [] : writeComment(notes.join('; '), IN_TABLES)),
    ...text.map((line) => `${indent}${mark}${line}`),
  ];
}

function writeQuestions(questions: readonly Doubt[]): string[] {
  if (questions.length === 0) return [];
  return [
    ...writeComment('Questions, the dangerous first:', IN_TARGET),
    ...questions.flatMap(({ text, example = [] }, i) => [
      ...writeComment(`${i + 1}. ${text}`, IN_TARGET, '? ', 5),
      ...example.map((line) => `${' '.repeat(IN_TARGET)}#      ${line}`),
    ]),
  ];
}

function writeLeftOut(remarks: readonly TableRemark[]): string[] {
  if (remarks.length === 0) return [];
  const indent = ' '.repeat(IN_TARGET);
  return [
    ...writeComment('Left out:', IN_TARGET),
    ...remarks.map(({ table, text }) => `${indent}# ${table}: ${text}`),
  ];
}
