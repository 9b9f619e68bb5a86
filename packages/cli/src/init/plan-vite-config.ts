import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readTextFile } from '../read-text-file.ts';
import type { PlannedFile } from './write-files.ts';

/** The names of Vite's configuration, in the order in which Vite looks for them. */
const configNames = ['js', 'mjs', 'ts', 'cjs', 'mts', 'cts'].map((it) => `vite.config.${it}`);

interface Plan {
  /** Null if the configuration has our page already, or cannot be changed safely. */
  readonly file: PlannedFile | null;
  /** The change that the developer has to make. */
  readonly note: string | null;
}

/**
 * Plans the entry for our page, because `vite build` builds only the pages that its configuration
 * names, and without one only index.html. A configuration that is not a plain object stays as it is.
 */
export function planViteConfig(folder: string, page: string, typescript: boolean): Plan {
  const pages = ['index.html', page].filter(
    (name) => name === page || existsSync(join(folder, name)),
  );
  const list = `[${pages.map((name) => `'./${name}'`).join(', ')}]`;
  const entry = `  build: { rollupOptions: { input: ${list} } },`;
  const path = configNames.find((name) => existsSync(join(folder, name)));
  if (path === undefined) {
    const content = `import { defineConfig } from 'vite';\n\nexport default defineConfig({\n${entry}\n});\n`;
    const created = `vite.config.${typescript ? 'ts' : 'js'}`;
    return { file: { path: created, content, change: 'create' }, note: null };
  }
  const config = readTextFile(join(folder, path));
  if (config.includes(page)) return { file: null, note: null };
  const [start, ...others] = config.matchAll(/^export default\s+(?:defineConfig\(\s*)?\{/gm);
  if (!start || others.length > 0 || /\bbuild\b/.test(config)) {
    const note = `In ${path}, set build.rollupOptions.input to ${list}. Without it, "vite build" leaves out ${page}.`;
    return { file: null, note };
  }
  const end = start.index + start[0].length;
  const content = `${config.slice(0, end)}\n${entry}${config.slice(end)}`;
  return { file: { path, content, change: 'add to' }, note: null };
}
