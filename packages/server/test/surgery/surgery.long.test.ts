import { describeSurgery } from './describe-surgery.ts';

await describeSurgery({ sqlite: 100, postgres: 40, mariadb: 20, mysql: 20 });
