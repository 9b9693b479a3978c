// The entry, after bin/unwrite.js has checked that this Node version can run it.

import { runCommandLine } from './cli/program.ts';
import { exitOnClosedPipe } from './cli/shared/output.ts';
import { noteHowItIsRun } from './domain/own-command.ts';

// Files that this process creates hold sealed personal data: others get no access, the group may only read.
process.umask(process.umask() | 0o027);
noteHowItIsRun(process.env);
exitOnClosedPipe();
process.exitCode = await runCommandLine(process.argv);
