// `npm run test:long -- histories --runs N --seed S` runs more.
import { describeHistories } from './describe-histories.ts';

// Of the faults in README.md, all but one are found in so many.
await describeHistories({ sqlite: 24, postgres: 5 });
