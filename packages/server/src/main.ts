// Entry, after bin/unwrite.js has made sure that this Node can run it.

import { runCommandLine } from './cli/program.ts';
import { endWithTheReader } from './cli/shared/output.ts';

// What is made here holds personal data, if sealed: it is for its owner, and for a group to read.
process.umask(process.umask() | 0o027);
endWithTheReader();
process.exitCode = await runCommandLine(process.argv);
