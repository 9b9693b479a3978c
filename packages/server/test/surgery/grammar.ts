// What of the configuration's grammar the generator uses. A switch that is off leaves out what the product does
// not know yet; UNWRITE_TEST_SURGERY_GRAMMAR=where,match turns on those that it names, `all` all, `none` none.

const IN_USE = {
  /** `where`, and tables that are listed several times. */
  where: true,
  /** `match` with paths into JSON, and with blanks ignored. */
  match: true,
  /** Overwriting with `unique`, `now` and `json`, and of columns under unique indexes. */
  overwrite: true,
  /** References of other people's rows that become NULL. */
  detach: true,
  /** References to the same table and in circles, and several to one parent, whatever their actions. */
  shapes: true,
  /** Tables without any unique key. */
  keyless: true,
};

export type Switch = keyof typeof IN_USE;

const named = process.env.UNWRITE_TEST_SURGERY_GRAMMAR?.split(',');

export const knows = (name: Switch): boolean =>
  named === undefined ? IN_USE[name] : named.includes(name) || named.includes('all');
