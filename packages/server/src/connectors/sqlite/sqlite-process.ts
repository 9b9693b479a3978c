// Entry of the process that runs statements on an operator's SQLite file. SQLite cannot be stopped in the
// middle of a statement from JavaScript, and ending a thread waits for the statement (measured: 5 s of 5),
// so it is a process, which can be killed; SQLite then rolls back.
import { createSqliteFile } from './sqlite-file.ts';
import type { SqliteMessage } from './sqlite-messages.ts';

const file = createSqliteFile();

process.on('message', (message: SqliteMessage) => process.send?.(file.answer(message)));
// The parent process has ended, or has closed the channel.
process.on('disconnect', () => file.close());
