// What people type to run this program. Texts name it "unwrite". Where npm runs it (npx unwrite, npm start) there may be
// no such command on the path, as in a clone of the repository: then what people read says "npx unwrite".

const COMMANDS =
  'alarms|audit|backup|certificate|client|config|console|controller|doctor|erase-again|events|export|health|help|keys|legal-hold|manual|migrate|node|operator|pause|preview|receipt|request|restored|resume|seen|serve|settings|signing-key|store|target|task|token|version';
const NAMED = new RegExp(`(?<![\\w./-]|npx )unwrite (?=(?:${COMMANDS})\\b|…)`, 'g');

let isRunByNpm = false;

/** Once, by the entry: `environment` is the process's own. */
export function noteHowItIsRun(environment: NodeJS.ProcessEnv): void {
  isRunByNpm = environment.npm_command !== undefined;
}

export const asTyped = (text: string): string =>
  isRunByNpm ? text.replace(NAMED, 'npx unwrite ') : text;
