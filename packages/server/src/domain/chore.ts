/** What has to be done now and then, beside the batches: sealing the audit log, shredding, alarms. */
export interface Chore {
  readonly name: string;
  /** Asked every second, so it must cost nothing. */
  isDue(now: number): Promise<boolean>;
  run(now: number): Promise<void>;
}

/** What the server's thread needs of a chore to know that a worker is wanted. */
export type DueChore = Pick<Chore, 'name' | 'isDue'>;
