#!/usr/bin/env node
// Runs on any version of Node, to say which one is needed.
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const oldest = engines.node.replace('>=', '').split('.').map(Number);
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  process.stderr.write(
    `svc-sandbox needs Node ${oldest[0]}.${oldest[1]} or later, but this is ${process.versions.node}. Install a newer version.\n`,
  );
  process.exitCode = 1;
} else {
  // Without the optimizing compiler, PostgreSQL's WebAssembly starts in half the time.
  setFlagsFromString('--liftoff-only');
  await import('../dist/service/apps/server/dist/sandbox.js');
}
