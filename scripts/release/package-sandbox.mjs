import { buildIfStale, packSandboxIfStale } from '../build.mjs';
import { ensure } from '../ensure.mjs';
import { startProgress } from '../steps/progress.mjs';
import { PACKED } from './pack-sdk.mjs';

// `npm run package:sandbox`: builds packages/sandbox/dist and adds the package's tarball to dist/sdk.

await ensure();
await buildIfStale();
const progress = startProgress('Packaging the sandbox');
try {
  await packSandboxIfStale();
  progress.done(PACKED);
} catch (error) {
  progress.failed();
  process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
  process.exitCode = 1;
}
