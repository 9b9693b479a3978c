<<<<<<< HEAD
// The life of requests as a model: histories by chance over both real stores. README.md says what is checked.
// `npm run test:long -- histories --runs N --seed S` runs more.
import { describe, it } from 'vitest';
import { type StoreKind, storeKinds } from '../helpers/stores/test-store.ts';
import { runHistories } from './run-histories.ts';
=======
// `npm run test:histories -- --runs N --seed S` runs more.
import { describeHistories } from './describe-histories.ts';
>>>>>>> quick-b

// Of the faults in README.md, all but one are found in so many.
await describeHistories({ sqlite: 24, postgres: 5 });
