// `npm run test:long -- surgery --cases N --seed S` plays more, and `--case` one again.
import { describeSurgery } from './describe-surgery.ts';

// A table takes a server longer than a file, and MariaDB longest.
await describeSurgery({ sqlite: 30, postgres: 9, mariadb: 4, mysql: 4 });
