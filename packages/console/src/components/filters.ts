/** The filters of a list, as they are in the address. */
export type Filters = Readonly<Record<string, string | undefined>>;
