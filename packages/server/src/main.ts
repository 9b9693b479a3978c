// Entry, after bin/unwrite.js has made sure that this Node can run it.
import { endWithTheReader } from './cli/output.ts';
import { runCommandLine } from './cli/program.ts';

endWithTheReader();
process.exitCode = await runCommandLine(process.argv);
