// The dialog of a decision belongs to the page, not to the line that opened it: that line disappears when another
// operator decides first, and with it the text that was typed.
import { createContext, type ReactNode, useContext, useState } from 'react';
import { type Choice, DecideTask } from './decide-task.tsx';

interface Deciding {
  readonly task: number;
  readonly choose?: Choice;
}

const Decide = createContext<(deciding: Deciding) => void>(() => undefined);

export function useDecide(): (deciding: Deciding) => void {
  return useContext(Decide);
}

export function DecidingHere({ children }: { children: ReactNode }) {
  const [deciding, setDeciding] = useState<Deciding>();
  return (
    <Decide value={setDeciding}>
      {children}
      {deciding === undefined ? null : (
        <DecideTask {...deciding} onClose={() => setDeciding(undefined)} />
      )}
    </Decide>
  );
}
