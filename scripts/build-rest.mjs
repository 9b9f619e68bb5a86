import { buildRest } from './build.mjs';

await buildRest();
