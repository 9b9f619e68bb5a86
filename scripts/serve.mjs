import { buildIfStale } from './build.mjs';
import { ensure } from './ensure.mjs';
import { ROOT } from './steps/run-command.mjs';

await ensure();
await buildIfStale();
await import(`${ROOT}apps/server/dist/serve.js`);
