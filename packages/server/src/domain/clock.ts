/** Milliseconds since 1970. Passed in, so that tests can set the time. */
export type Clock = () => number;
