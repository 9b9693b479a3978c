// Entry, after bin/unwrite.js has made sure that this Node can run it.
import { runCommandLine } from './cli/program.ts';

process.exitCode = await runCommandLine(process.argv);
