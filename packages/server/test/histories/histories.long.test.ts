import { describeHistories } from './describe-histories.ts';

await describeHistories({ sqlite: 80, postgres: 20 });
