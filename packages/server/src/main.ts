// Entry, after bin/unwrite.js has made sure that this Node can run it.

import { runCommandLine } from './cli/program.ts';
import { endWithTheReader } from './cli/shared/output.ts';

// Files created here hold sealed personal data: only their owner may write them, only their group may read them.
process.umask(process.umask() | 0o027);
endWithTheReader();
process.exitCode = await runCommandLine(process.argv);
