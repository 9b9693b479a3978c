// What histories came to: a rule that is never put to the test cannot fail.
import type { Look } from './model/look.ts';

export function createStatistics() {
  const histories = new Map<string, number>();
  let inThis = new Set<string>();
  let all = 0;
  let looks = 0;

  function note(what: string): void {
    if (inThis.has(what)) return;
    inThis.add(what);
    histories.set(what, (histories.get(what) ?? 0) + 1);
  }

  return {
    begin(): void {
      inThis = new Set();
      all += 1;
    },
    saw({ states, tasks, attention }: Look): void {
      looks += 1;
      for (const state of states.values()) note(`request ${state?.status ?? 'forgotten'}`);
      for (const { state, evidence, run } of tasks) {
        note(`task ${state}`);
        if (run > 1) note('task of a later run');
        if (evidence !== null) note(`evidence ${evidence.action}`);
        if (evidence?.recovered) note('evidence recovered');
      }
      for (const { reason } of attention) note(`attention ${reason}`);
    },
    report(): string {
      const lines = [...histories].sort(([one], [other]) => (one < other ? -1 : 1));
      return [
        `${all} histories, ${looks} looks. In how many of them was seen:`,
        ...lines.map(([what, times]) => `${String(times).padStart(7)}  ${what}`),
      ].join('\n');
    },
  };
}
