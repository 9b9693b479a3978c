// The examples whose tables every database can have, on each of them.
import { crm } from './crm/example.ts';
import { describeExamples } from './describe-examples.ts';
import { forum } from './forum/example.ts';
import { households } from './households/example.ts';
import { shop } from './shop/example.ts';

for (const database of ['SQLite', 'PostgreSQL', 'MariaDB'] as const) {
  const examples = [shop, forum, crm, households].map((example) => ({ ...example, database }));
  await describeExamples(examples, ` on ${database}`);
}
