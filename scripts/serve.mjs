import { buildRest, buildToStart } from './build.mjs';
import { ensure } from './ensure.mjs';

await ensure({ onlyToStart: true });
await buildToStart();
await buildRest();
await import(new URL('../apps/server/dist/serve.js', import.meta.url).href);
