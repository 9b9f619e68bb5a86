import { buildToStart } from './build.mjs';
import { ensure } from './ensure.mjs';

await ensure({ onlyToStart: true });
await buildToStart();
await import(new URL('../apps/server/dist/cli.js', import.meta.url).href);
