import { buildIfStale } from './build.mjs';
import { ensure } from './ensure.mjs';
import { runNode } from './steps/run-command.mjs';

// `npm run pictures`: takes the pictures of the docs and the README from the running demo.
await ensure();
await buildIfStale();
const script = 'apps/server/test/journeys/pictures.ts';
const { code } = await runNode(['--conditions=source', '--import', 'tsx', script], {});
process.exitCode = code;
