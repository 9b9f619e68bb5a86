import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../steps/run-command.mjs';

interface Page {
  readonly path: string;
  readonly text: string;
}

/** Returns the texts for a partner's developer: the guides, and the READMEs of packages and examples. */
export function partnerPages(): Page[] {
  return filesOf(['docs', 'packages', 'examples'], /\.md$/);
}

/** Returns the programs that may print a command: examples, packages and the service. */
export function programs(): Page[] {
  const folders = ['packages', 'examples', 'apps/server/src', 'apps/docs/src', 'apps/demo-portal'];
  return filesOf(folders, /(?<!\.test)\.(ts|tsx|mjs|js|py|html|json)$/);
}

function filesOf(folders: readonly string[], pattern: RegExp): Page[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => pattern.test(name) && !/\b(node_modules|dist|CHANGELOG)\b/.test(name))
      .map((name) => join(ROOT, folder, name))
      .map((file) => ({ path: relative(ROOT, file), text: readFileSync(file, 'utf8') })),
  );
}

const COMMAND =
  /\b(?:npm|pnpm|yarn|bun) (?:i|install|add|create|exec|dlx)\b[^\n`]*|\b(?:npx|bunx)\b[^\n`]*/g;
/** A package of ours, or a program of one, by name. */
const NAME = /(?<![\w/.:-])(?:@svc\/|svc(?:-[a-z]+)?(?![\w./-]))/;
/** `npx --package=<address> svc` runs the program from that address. */
const FROM_ADDRESS = /^npx (?:--package=(?:https?:\/\/|\.)\S+ )+svc(?:-[a-z]+)?\b/;

/** Returns the commands that would install a package of ours from a registry, where its name may not be ours. */
export function registryInstalls(text: string): string[] {
  return Array.from(text.matchAll(COMMAND), ([found]) => found).filter(
    (found) => NAME.test(found) && !FROM_ADDRESS.test(found),
  );
}
