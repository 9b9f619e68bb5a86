import { parseArgs } from 'node:util';
import { buildIfStale } from './build.mjs';
import { ensure } from './ensure.mjs';
import { runNode } from './steps/run-command.mjs';

// `npm run screens [-- experience]`: takes screenshots of every screen and state into .screens/.
await ensure();
await buildIfStale();

const albums = {
  widget: 'packages/core/test/screens.ts',
  experience: 'apps/experience/test/screens.ts',
  mails: 'apps/server/test/screens.ts',
  console: 'apps/console/test/screens.ts',
  operator: 'apps/operator/test/screens.ts',
  demo: 'apps/demo-portal/test/screens.ts',
};
const { positionals } = parseArgs({ allowPositionals: true });
for (const name of positionals.length > 0 ? positionals : Object.keys(albums)) {
  const script = albums[/** @type {keyof typeof albums} */ (name)];
  if (!script)
    throw new Error(`There is no album ${name}. Choose from ${Object.keys(albums).join(', ')}.`);
  console.log(`.screens/${name} …`);
  const { code } = await runNode(['--conditions=source', '--import', 'tsx', script], {});
  if (code !== 0) process.exitCode = 1;
}
