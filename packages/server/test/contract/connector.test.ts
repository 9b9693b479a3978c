import { SQL_DATABASES } from '../connectors/sql/sql-databases.ts';
import { describeSqlConnector } from './connector-suite.ts';

for (const kind of SQL_DATABASES) describeSqlConnector(kind, await kind.isThere());
