// Entry, after bin/unwrite.js has made sure that this Node can run it.

import { runCommandLine } from './cli/program.ts';
import { endWithTheReader } from './cli/shared/output.ts';

endWithTheReader();
process.exitCode = await runCommandLine(process.argv);
