// What a script of the operator does: calls the operator API with a token of its own.
import type { Unwrite } from './unwrite.ts';

/** Reads, or with a body acts. */
export type Operate = (path: string, body?: object) => Promise<unknown>;

export async function createOperator(unwrite: Unwrite, name: string): Promise<Operate> {
  const made = unwrite.command('operator', 'client', 'create', '--role', 'admin', '--name', name);
  const { token } = made as { token: string };
  return async (path, body) => {
    const answer = await fetch(`${unwrite.url}/operator/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok)
      throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
}
