import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfStale } from './build.mjs';
import { ensure } from './ensure.mjs';
import { ROOT, runNode } from './steps/run-command.mjs';

// `npm run screens [-- experience]`: takes screenshots of every screen and state into .screens/, and writes
// .screens/index.html to page through them.
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

await writeIndex();

/** Writes one page with all albums: a row for each screen, with its widths, themes and languages, and a filter. */
async function writeIndex() {
  const folder = join(ROOT, '.screens');
  /** @type {Map<string, string[]>} */
  const rows = new Map();
  for (const album of Object.keys(albums)) {
    const files = await readdir(join(folder, album)).catch(() => []);
    for (const file of files.filter((it) => it.endsWith('.png')).sort()) {
      const screen = `${album}: ${file.replace(/-?\d{3,4}.*/, '')}`;
      rows.set(screen, [...(rows.get(screen) ?? []), `${album}/${file}`]);
    }
  }
  const sections = [...rows].map(([screen, files]) => {
    const pictures = files.map(
      (it) =>
        `<a href="${it}" title="${it}"><img src="${it}" alt="${it}" loading="lazy" height="420"></a>`,
    );
    return `<section><h2>${screen}</h2><div>${pictures.join('')}</div></section>`;
  });
  const page = `<!doctype html><meta charset="utf-8"><title>Screens</title>
<style>
body { margin: 0 16px; font: 14px system-ui; background: #8a8f98 }
header { position: sticky; top: 0; padding: 8px 0; background: inherit }
div { display: flex; gap: 8px; overflow-x: auto }
[hidden] { display: none }
</style>
<header><label>Show only <input type="search" placeholder="390 dark es" autofocus></label></header>
${sections.join('\n')}
<script>
document.querySelector('input').oninput = ({ target }) => {
  const parts = target.value.split(' ');
  for (const link of document.links) link.hidden = !parts.every((it) => link.title.includes(it));
  for (const row of document.querySelectorAll('section')) row.hidden = !row.querySelector('a:not([hidden])');
};
</script>
`;
  await writeFile(join(folder, 'index.html'), page);
  console.log('.screens/index.html shows all of them.');
}
