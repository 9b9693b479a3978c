// What the name of a table suggests about its content.
import type { TableShape } from '../catalogue.ts';
import { tableWords, wordsOf } from './name-words.ts';

const set = (words: string) => new Set(words.split(/\s+/));

const PEOPLE =
  set(`user customer person member contact client subscriber patient student employee guest
  profile lead buyer account visitor applicant candidate donor passenger player staff admin
  administrator agent operator attendee participant invitee registrant signer recipient`);
/** People who work with other people's rows. */
const STAFF = set('employee staff admin administrator agent operator');
const SERVED = set('customer client member subscriber contact patient student guest');
const ORGANISATIONS =
  set(`tenant organisation organization org company workspace team shop store site
  merchant vendor supplier branch department group`);
/** Things that have addresses but are not people. */
const THINGS = set(`newsletter inbox mailbox warehouse template queue channel campaign list domain
  setting config configuration option office location venue facility hotel restaurant school project
  website forum board form webhook integration server device printer room calendar`);
const HISTORIES = set(`history log audit journal revision changelog trail activity timeline`);
const KEPT_BY_LAW = set(
  'invoice payment receipt transaction ledger refund charge payout bill tax journal accounting',
);
/** A stored card, for example, is not a record that has to be kept by law. */
const NOT_KEPT = set('method token card setting address');

const lastOf = (table: string) => tableWords(table).at(-1) ?? '';

export const isPeopleWord = (word: string): boolean => PEOPLE.has(word);
/** Also recognises the word inside a longer one: zerver_userprofile, channelmembers. */
export function isPeopleTable(table: string): boolean {
  return endsInPeople(lastOf(table));
}

function endsInPeople(word: string): boolean {
  return PEOPLE.has(word) || /(?:user|customer|profile|member|person|subscriber)$/.test(word);
}
/** People for whom others work. */
export const isServedTable = (table: string): boolean => SERVED.has(lastOf(table));

export const isStaffTable = (table: string): boolean =>
  STAFF.has(lastOf(table)) || tableWords(table).join().endsWith('admin,user');

/** Excludes tables that connect people with organisations: `user_groups`. */
export function isOrganisationTable(table: string): boolean {
  const words = tableWords(table);
  return ORGANISATIONS.has(words.at(-1) ?? '') && !words.some(endsInPeople);
}

/** An address in such a table belongs to the thing, such as the sender of a newsletter. */
export const isThingTable = (table: string): boolean => THINGS.has(lastOf(table));

export function isHistoryTable(table: string): boolean {
  return tableWords(table).some(
    (word) =>
      HISTORIES.has(word) || /(?:audit|event|action|change|access)(?:log|trail)$/.test(word),
  );
}

/** By its name, or by columns that only an invoice has (Odoo's `account_move`). */
export function mayHaveToBeKept({
  table,
  columns,
}: Pick<TableShape, 'table' | 'columns'>): boolean {
  const words = tableWords(table);
  if (words.some((word) => NOT_KEPT.has(word)) || isPeopleTable(table)) return false;
  const ofInvoices = [...columns.keys()].filter((name) => wordsOf(name)[0] === 'invoice');
  return (
    words.some((word) => KEPT_BY_LAW.has(word)) ||
    words.join(' ').includes('account move') ||
    ofInvoices.length > 1
  );
}
