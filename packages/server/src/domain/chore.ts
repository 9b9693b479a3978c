/** Periodic work beside the batches: sealing the audit log, shredding, alarms. */
export interface Chore {
  readonly name: string;
  /** Called every second, so it must be cheap. */
  isDue(now: number): Promise<boolean>;
  run(now: number): Promise<void>;
}

/** The part of a chore that the server thread needs to decide whether to start a worker. */
export type DueChore = Pick<Chore, 'name' | 'isDue'>;
