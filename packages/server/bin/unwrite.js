#!/usr/bin/env node
// Plain JavaScript that any Node can read: says in one line when this Node is too old for the rest.
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  console.error(
    `unwrite: needs Node.js 24 or newer; this is ${process.version}. In the repository, run it as: npx unwrite`,
  );
  process.exit(1);
}

// Half of these threads look up host names, and a name server that does not answer holds a thread for many seconds. With
// Node's default of 4, two such names would keep all other targets from theirs.
process.env.UV_THREADPOOL_SIZE ??= '64';

// Stripping types and compiling are most of the start-up time and a third of the memory. The cache is
// this installation's own, not a folder that others may write to; through the variable the writer's
// thread uses it too.
const { enableCompileCache } = await import('node:module');
const { fileURLToPath } = await import('node:url');
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../.cache/', import.meta.url));
enableCompileCache?.(process.env.NODE_COMPILE_CACHE);

await import('../src/main.ts');
