import { ensure } from './ensure.mjs';
import { ROOT, runNode } from './steps/run-command.mjs';

// `node scripts/torture.mjs [--seed 1] [--rounds 3] [--blows 12] [--rest 1500] [--database postgres]`
await ensure();
process.chdir(ROOT);
const { code } = await runNode([
  '--conditions=source',
  '--import',
  'tsx',
  'packages/webhooks/src/testing/torture/main.ts',
  ...process.argv.slice(2),
]);
process.exitCode = code;
