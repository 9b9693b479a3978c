#!/usr/bin/env node
import { runCommandLine } from './program.ts';
import { systemIo } from './system-io.ts';

const exitCode = await runCommandLine(process.argv.slice(2), systemIo());
// What could not be written has set it already.
if (exitCode !== 0) process.exitCode = exitCode;
