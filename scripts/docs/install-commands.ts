import { readdirSync, readFileSync } from 'node:fs';
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
