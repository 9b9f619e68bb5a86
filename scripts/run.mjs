import { buildIfStale } from './build.mjs';
import { ensure } from './ensure.mjs';
import { runNode } from './steps/run-command.mjs';

// `node scripts/run.mjs [--built] <file.ts> [argument …]`: runs a TypeScript program of this repository
// from its sources, with all packages installed. With --built, the front ends are built first.
const args = process.argv.slice(2);
const needsBuild = args[0] === '--built';
if (needsBuild) args.shift();

await ensure();
if (needsBuild) await buildIfStale();
const { code } = await runNode(['--conditions=source', '--import', 'tsx', ...args]);
process.exitCode = code;
