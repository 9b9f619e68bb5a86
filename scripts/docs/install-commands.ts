import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../steps/run-command.mjs';

/** Texts for a partner's developer: the guides, and the READMEs of packages and examples. */
export function partnerPages(): { path: string; text: string }[] {
  return ['docs', 'packages', 'examples'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !/node_modules|CHANGELOG/.test(name))
      .map((name) => join(ROOT, folder, name))
      .map((file) => ({ path: relative(ROOT, file), text: readFileSync(file, 'utf8') })),
  );
}

/** The commands that would take a package of ours from a registry, where its name may not be ours. */
export function registryInstalls(text: string): string[] {
  const command =
    /\b(?:npm|pnpm|yarn|bun) (?:i|install|add|create|exec|dlx)\b[^\n`]*|\b(?:npx|bunx)\b[^\n`]*/g;
  return Array.from(text.matchAll(command), ([found]) => found).filter((found) =>
    /(?<![\w/])@svc\//.test(found),
  );
}

/** Replaces the versions in the tarballs' URLs by those of this checkout. */
export function withCurrentVersions(text: string): string {
  return text.replace(
    /\/sdk\/svc-([a-z]+)-\d+\.\d+\.\d+\.tgz/g,
    (_, name: string) => `/sdk/svc-${name}-${versionOf(name)}.tgz`,
  );
}

function versionOf(name: string): string {
  const manifest = join(ROOT, 'packages', name, 'package.json');
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}

// `npm run install-commands`, after `npx changeset version`
if (process.argv[1] === import.meta.filename) {
  for (const { path, text } of partnerPages()) {
    const current = withCurrentVersions(text);
    if (current !== text) writeFileSync(join(ROOT, path), current);
  }
}
