// Divides what was found into entries that are nearly certain, at most 20 questions, and what is left out.
import type { LeftOutTable } from './remark-on-table.ts';
import type {
  Doubt,
  PlannedEntry,
  Question,
  SuggestedTable,
  TableRemark,
} from './suggested-plan.ts';

const MAX_QUESTIONS = 20;

export interface Divided {
  readonly entries: readonly PlannedEntry[];
  readonly questions: readonly Doubt[];
  readonly leftOut: readonly TableRemark[];
}

/** `others`: questions that the draft asks besides. */
export function askQuestions(
  found: readonly SuggestedTable[],
  left: readonly LeftOutTable[],
  others: number,
): Divided {
  const groups = groupsOf(found);
  const roots = found.filter(({ table }) => groups.get(table) === table);
  const isNumbered = found.some(({ table }) => groups.get(table) === BY_NUMBER);
  const asked: Asked[] = [
    ...roots.map((root) => askOfTable(root, found, groups)),
    ...askTogether(
      found.flatMap(({ questions }) => questions),
      isNumbered,
    ),
    ...left.flatMap(({ questions }) => questions.map((one) => ({ ...one, rank: rankOf(one) }))),
  ]
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MAX_QUESTIONS - others);
  const placeOf = (table: string) =>
    asked.findIndex((one) => one.table !== undefined && one.table === groups.get(table)) + 1;
  const isIn = ({ table }: SuggestedTable) => groups.get(table) === undefined || placeOf(table) > 0;
  return {
    entries: found.filter(isIn).map(({ table, notes, lines, alone, parents }) => ({
      table,
      notes,
      lines:
        alone !== undefined && parents.some((it) => groups.get(it) !== groups.get(table))
          ? alone
          : lines,
      ...(placeOf(table) > 0 && { question: placeOf(table) }),
    })),
    questions: asked.map(({ text, example }) => (example ? { text, example } : { text })),
    leftOut: [
      ...found
        .filter((one) => !isIn(one))
        .map(({ table, doubts, parents }) => ({
          table,
          text: doubts.join('; ') || `belongs to ${parents.join(', ')}, which is uncertain`,
        })),
      ...left
        .toSorted((a, b) => Number(b.isPersonal) - Number(a.isPersonal))
        .map(({ why }) => why)
        .filter(({ table }) => !asked.some(({ text }) => text.startsWith(`${table}: `))),
    ],
  };
}

/** Tables that depend on the question whether their numbers are those of the controllers' customers. */
const BY_NUMBER = '';

/** The table on which it depends whether a table is in the plan; null if on more. Certain tables have none. */
function groupsOf(found: readonly SuggestedTable[]): ReadonlyMap<string, string | null> {
  const groups = new Map<string, string | null>();
  const group = ({ table, parents, doubts, isByNumber, alone }: SuggestedTable) => {
    if (alone !== undefined && doubts.length === 0) return;
    const above = new Set(
      parents.filter((it) => it !== table && groups.has(it)).map((it) => groups.get(it) ?? null),
    );
    const [first = null, ...more] = above;
    if (above.size > 0) groups.set(table, more.length + doubts.length > 0 ? null : first);
    else if (doubts.length > 0) groups.set(table, table);
    else if (isByNumber) groups.set(table, BY_NUMBER);
  };
  // Tables may belong to each other in a circle: until nothing changes.
  for (let before = ''; before !== JSON.stringify([...groups]); ) {
    before = JSON.stringify([...groups]);
    for (const one of found.toReversed()) group(one);
  }
  return groups;
}

interface Asked extends Doubt {
  /** The lower, the more dangerous is a wrong answer, or none. */
  readonly rank: number;
  /** The table about whose rows it is asked. */
  readonly table?: string;
}

function askOfTable(
  { table, doubts, hasMatch, isPersonal }: SuggestedTable,
  found: readonly SuggestedTable[],
  groups: ReadonlyMap<string, string | null>,
): Asked {
  const below = found.filter((one) => one.table !== table && groups.get(one.table) === table);
  const along = below.map((one) => one.table);
  return {
    table,
    text: `${table}: ${[...doubts, ...(along.length === 0 ? [] : [`with it: ${along.join(', ')}`])].join('; ')}`,
    rank: below.length > 2 ? 0 : hasMatch ? 1 : isPersonal ? 2 : below.length > 0 ? 5 : 6,
  };
}

const rankOf = ({ kind }: Question): number => (kind === 'outliving' ? 7 : 8);

const TOGETHER = [
  {
    kind: 'kept',
    rank: 0,
    write: (list: string) =>
      `Rows that may have to be kept: ${list}. Retain them with a reason that you could give to the person, overwrite, or delete`,
  },
  {
    kind: 'customer_id',
    rank: 3,
    write: (list: string) =>
      `Are these what the controllers call their customers by: ${list}? Then add to match: controller_customer_id: <column>`,
  },
  {
    kind: 'overwritten',
    rank: 3,
    write: (list: string) =>
      `Rows that stay, overwritten: ${list}. Are these all personal columns?`,
  },
] as const;

function askTogether(questions: readonly Question[], isNumbered: boolean): Asked[] {
  return [
    ...TOGETHER.flatMap(({ kind, rank, write }) => {
      const own = questions.filter((one) => one.kind === kind).map(({ text }) => text);
      return own.length === 0
        ? []
        : [
            {
              text: write(own.join(', ')),
              rank,
              ...(kind === 'customer_id' && isNumbered && { table: BY_NUMBER }),
            },
          ];
    }),
    ...questions
      .filter(({ kind }) => kind === 'pair')
      .map((one) => ({ ...one, rank: rankOf(one) })),
  ];
}
