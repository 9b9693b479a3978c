import { describeSurgery } from './describe-surgery.ts';

await describeSurgery({ sqlite: 240, postgres: 60, mariadb: 24, mysql: 24 });
