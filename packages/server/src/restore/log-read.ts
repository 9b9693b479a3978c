// Whether this node has once read all cancellations in the audit log. Without that, a node that is added later does not
// know the earlier ones, and would start a request whose cancellation someone else has removed from the log since.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'cancellations-read.json';

export interface LogRead {
  isDone(): boolean;
  done(): void;
}

/** The file is kept beside those of cancellations. If it gets lost, the log is read once more. */
export function createLogRead(dataDir: string): LogRead {
  const path = join(dataDir, NAME);
  let isDone = existsSync(path);
  return {
    isDone: () => isDone,
    done() {
      if (isDone) return;
      writeFileSync(path, '{"unwrite":"cancellations of the audit log were read"}\n', {
        mode: 0o600,
      });
      isDone = true;
    },
  };
}
