/** Finding, deciding, changing and verifying rows at the targets. */
export const FAULTS = [
  {
    what: 'a foreign key of a MariaDB table that may only be read counts as RESTRICT',
    file: 'packages/server/src/connectors/mysql/hidden-actions.ts',
    find: "onDelete: actionOn('DELETE') ?? 'RESTRICT'",
    replace: "onDelete: 'RESTRICT'",
    caughtBy: ['packages/server/test/connectors/mysql/hidden-actions.test.ts'],
  },
];
