import { describeHistories } from './describe-histories.ts';

await describeHistories({ sqlite: 220, postgres: 40 });
