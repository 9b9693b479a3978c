// What the name of a table tells.
import { tableWords } from './name-words.ts';

const PEOPLE = new Set(
  `user customer person member contact client subscriber patient student employee guest profile lead
  buyer account visitor applicant candidate donor passenger player`.split(/\s+/),
);
const ORGANISATIONS = new Set(
  `tenant organisation organization org company workspace team shop store site merchant vendor supplier
  branch department group`.split(/\s+/),
);
const KEPT_BY_LAW = new Set(
  'invoice payment receipt transaction ledger refund charge payout bill tax journal'.split(' '),
);
/** A card on file is no record that has to be kept. */
const NOT_KEPT = new Set(['method', 'token', 'card', 'setting', 'address']);

export const isPeopleTable = (table: string): boolean => PEOPLE.has(tableWords(table).at(-1) ?? '');

/** Not one that ties people to them: `user_groups`. */
export function isOrganisationTable(table: string): boolean {
  const words = tableWords(table);
  return ORGANISATIONS.has(words.at(-1) ?? '') && !words.some((word) => PEOPLE.has(word));
}

export function mayHaveToBeKept(table: string): boolean {
  const words = tableWords(table);
  return words.some((word) => KEPT_BY_LAW.has(word)) && !words.some((word) => NOT_KEPT.has(word));
}
