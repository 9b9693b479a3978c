import { TRANSACTION_TABLE, transactionTable } from '../sql/transactions/transaction-table.ts';

/** Another engine does not roll its rows back: they would say that every transaction has committed. */
const IS_TRANSACTIONAL = `
  SELECT 1 AS n FROM information_schema.TABLES JOIN information_schema.COLUMNS
    USING (TABLE_SCHEMA, TABLE_NAME)
  WHERE TABLE_SCHEMA = database() AND TABLE_NAME = '${TRANSACTION_TABLE}'
    AND ENGINE = 'InnoDB' AND COLUMN_NAME = 'number' AND COLUMN_KEY = 'PRI'`;

export const mysqlTransactions = transactionTable(
  [
    `CREATE TABLE ${TRANSACTION_TABLE} (number CHAR(36) CHARACTER SET ascii COLLATE ascii_bin PRIMARY KEY, began BIGINT NOT NULL, KEY (began)) ENGINE=InnoDB`,
  ],
  `GRANT SELECT, INSERT, DELETE ON ${TRANSACTION_TABLE}`,
  async (session) => (await session.query(IS_TRANSACTIONAL)).rows.length === 1,
);
