import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the licenses of the packages in a bundle, which require that copies contain them.
 * @param {Iterable<string>} modules
 */
export function licensesOf(modules) {
  const folders = new Set(
    Array.from(modules, (id) => /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? ''),
  );
  folders.delete('');
  const texts = Array.from(folders, (folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    const file = readdirSync(folder).find((it) => /^licen[cs]e/i.test(it));
    const text =
      file === undefined ? `License: ${license}` : readFileSync(join(folder, file), 'utf8');
    return `${name} ${version}\n\n${text.trim()}\n`;
  });
  return texts.sort().join('\n');
}
