/** What a list is filtered by, as it is in the address. */
export type Filters = Readonly<Record<string, string | undefined>>;
