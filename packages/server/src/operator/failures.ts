// How a use case refuses. Whatever offers it says so in its own way: an exit code, an HTTP status. What the state of
// a task or a request does not allow is NotPossible (domain/task/operator-ports.ts).

/** There is no controller, request, task, target or key of that name. */
export class NotFound extends Error {
  override readonly name = 'NotFound';
}

/** What was given cannot be used, whatever is in the store. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';
  /** What is wrong about the field. */
  readonly problem: string;
  readonly field: string;

  constructor(field: string, problem: string) {
    super(`${field} ${problem}`);
    this.field = field;
    this.problem = problem;
  }
}
