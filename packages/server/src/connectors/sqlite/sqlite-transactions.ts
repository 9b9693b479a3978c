import { TRANSACTION_TABLE, transactionTable } from '../sql/transactions/transaction-table.ts';

export const sqliteTransactions = transactionTable(
  [
    `CREATE TABLE ${TRANSACTION_TABLE} (number TEXT PRIMARY KEY NOT NULL, began INTEGER NOT NULL)`,
    `CREATE INDEX ${TRANSACTION_TABLE}_began ON ${TRANSACTION_TABLE} (began)`,
  ],
  null,
  async () => true,
);
