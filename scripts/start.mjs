import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { buildToStart } from './build.mjs';
import { ensure } from './ensure.mjs';
import { ROOT } from './steps/run-command.mjs';

await ensure({ onlyToStart: true });
await buildToStart();
await import(new URL('../apps/server/dist/start.js', import.meta.url).href);
buildRestInBackground();

/** Builds the docs and the packages in a separate process. Until it is done, `/docs` and `/sdk` say so and reload. */
function buildRestInBackground() {
  const rest = spawn(process.execPath, [join(ROOT, 'scripts/build-rest.mjs')], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  // The low priority leaves the processor to the service and the browser.
  if (rest.pid !== undefined) setPriority(rest.pid, 10);
  rest.on('error', ({ message }) => {
    process.stderr.write(`The docs could not be built: ${message}.\n`);
  });
  process.on('exit', () => rest.kill());
}
