import { EXAMPLES } from './all-examples.ts';
import { describeExamples } from './describe-examples.ts';
import { planOf } from './example.ts';

/** Requests of every controller come to it, so it has a server of its own. */
const own = EXAMPLES.filter((example) => planOf(example).includes('tenant_column:'));

await describeExamples(EXAMPLES.filter((example) => !own.includes(example)));
for (const example of own) await describeExamples([example]);
