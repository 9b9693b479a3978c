import { EXAMPLES } from './all-examples.ts';
import { describeExamples } from './describe-examples.ts';

/** Requests of every controller come to it, so it has a server of its own. */
const isShared = ({ folder }: { folder: string }) => folder === 'saas';

await describeExamples(EXAMPLES.filter((example) => !isShared(example)));
await describeExamples(EXAMPLES.filter(isShared));
