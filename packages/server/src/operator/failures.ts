// Errors of use cases. The command line turns them into exit codes, the API into HTTP statuses. If the state of
// a task or a request does not allow something, NotPossible is thrown (domain/task/operator-ports.ts).

/** There is no controller, request, task, target or key of that name. */
export class NotFound extends Error {
  override readonly name = 'NotFound';
}

/** The input cannot be used, regardless of the contents of the store. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';
  /** What is wrong with the field. */
  readonly problem: string;
  readonly field: string;

  constructor(field: string, problem: string) {
    super(`${field} ${problem}`);
    this.field = field;
    this.problem = problem;
  }
}
