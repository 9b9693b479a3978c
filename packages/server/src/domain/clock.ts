/** Milliseconds since 1970. Handed in, so that tests decide what time it is. */
export type Clock = () => number;
