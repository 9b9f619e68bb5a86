import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfStale } from './build.mjs';
import { ensure } from './ensure.mjs';
import { ROOT } from './steps/run-command.mjs';

const FRONT_ENDS = [
  'packages/core',
  'apps/experience',
  'apps/console',
  'apps/operator',
  'apps/demo-portal',
];

await ensure();
await buildIfStale();

// The server runs from its sources and restarts at each change. The front ends are rebuilt; reload the page.
const server = ['--conditions=source', '--import', 'tsx', '--watch', 'apps/server/src/start.ts'];
const children = [run(server, '.')];
for (const folder of FRONT_ENDS) {
  if (!existsSync(join(ROOT, folder, 'vite.config.ts'))) continue;
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  children.push(run([vite, 'build', '--watch', '--logLevel', 'warn'], folder));
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
  });
}

/**
 * @param {string[]} args
 * @param {string} folder
 */
function run(args, folder) {
  // The input is a pipe, because without a terminal `vite build --watch` ends when its input ends.
  return spawn(process.execPath, args, {
    cwd: join(ROOT, folder),
    stdio: ['pipe', 'inherit', 'inherit'],
  });
}
