// Whether a lookup still gives the identities that orders rely on, asked on locked rows while erasing. Each
// value is looked up only by identities proven before it: one that was looked up by it later must not prove it.
import type { Identity } from '../../../../domain/request/identity.ts';
import type { Subject } from '../../../../domain/target/connector.ts';
import type { ResolveConfig } from '../../../../domain/target/target.ts';
import { identitiesOf, type LookupContext, lookUpValues, nameOf } from './lookup-values.ts';
import { isForeign } from './resolve-identities.ts';

/** Values; each is a list of the identities that it may be written as. */
export type Given = readonly (readonly Identity[])[];

/** Undefined if nothing can be looked up for the subject. */
type AskLocked = (subjects: readonly Subject[]) => Promise<(Given | undefined)[]>;

/** Asks a lookup, the same question only once. */
export function createAskLocked(context: LookupContext, resolve: ResolveConfig): AskLocked {
  const { from } = resolve;
  const answers = new Map<string, Given>();
  const questionOf = ({ taskNo, identities }: Subject) => {
    const asked = identities.filter(({ type }) => type === from.type).map(nameOf);
    return JSON.stringify([taskNo, ...asked.sort()]);
  };
  const canBeAsked = (subject: Subject) =>
    subject.identities.some(({ type }) => type === from.type) &&
    !isForeign(context.config, subject);
  return async (subjects) => {
    const asked = subjects.filter((one) => canBeAsked(one) && !answers.has(questionOf(one)));
    if (asked.length > 0) {
      const options = { isLocked: true };
      const { lookup, values } = await lookUpValues(context, resolve, asked, options);
      for (const [place, subject] of asked.entries()) {
        const found = [...(values[place] ?? [])];
        const given = found.map((value) => identitiesOf(new Set([value]), lookup, resolve));
        answers.set(questionOf(subject), given);
      }
    }
    return subjects.map((subject) => answers.get(questionOf(subject)));
  };
}

/** `source`: the target whose lookup is asked. */
export async function areReliedLost(
  ask: AskLocked,
  source: string,
  orders: readonly Subject[],
): Promise<boolean[]> {
  const isLost = orders.map(() => false);
  const stepsOf = orders.map((order) => stepsAt(source, order));
  const most = Math.max(0, ...stepsOf.map(({ length }) => length));
  for (let no = 0; no < most; no++) {
    const asked = stepsOf.flatMap((steps, place) => {
      const step = steps[no];
      return step === undefined ? [] : [{ ...step, place }];
    });
    const answers = await ask(asked.map(({ subject }) => subject));
    asked.forEach(({ names, place }, index) => {
      const now = new Set((answers[index] ?? []).flat().map(nameOf));
      if (names.some((name) => !now.has(name))) isLost[place] = true;
    });
  }
  return isLost;
}

interface Step {
  /** The subject with the identities proven before. */
  readonly subject: Subject;
  /** Names of the identities that the lookup gave then. */
  readonly names: readonly string[];
}

function stepsAt(source: string, order: Subject): Step[] {
  const { relied = [], identities, unproven = [], ...subject } = order;
  return relied.flatMap((one, from) => {
    if (one.source !== source || relied[from - 1]?.source === source) return [];
    const later = relied.slice(from);
    const end = later.findIndex((it) => it.source !== source);
    const names = (end < 0 ? later : later.slice(0, end)).map(({ name }) => name);
    const left = new Set([...later.map(({ name }) => name), ...unproven.map(nameOf)]);
    const before = identities.filter((identity) => !left.has(nameOf(identity)));
    return [{ names, subject: { ...subject, identities: before } }];
  });
}
