import { readFileSync, writeFileSync } from 'node:fs';
import type { Service } from '../../apps/server/src/context.ts';
import { openApiDocument } from '../../apps/server/src/http/docs/openapi.ts';
import { routes } from '../../apps/server/src/http/routes.ts';
import { type Document, findBreakingChanges, withoutProse } from './find-breaking-changes.ts';

// Reports changes of the partner API that could break an integration built on the last release. See
// "Change the API" in CONTRIBUTING.md. `--release` stores the document as that of a new release.

const folder = new URL('../../apps/server/api/', import.meta.url);
const released = new URL('released.json', folder);
const accepted = new URL('accepted-changes.json', folder);
const changelog = new URL('../../docs/changelog.md', import.meta.url);

export interface Accepted {
  /** A reported change; `*` stands for any text. */
  readonly change: string;
  /** Text of the entry in docs/changelog.md that tells partners about it. */
  readonly changelog: string;
}

/** Returns the problems: changes that were not accepted, and entries that accept nothing or the changelog lacks. */
export function problemsOf(
  changes: readonly string[],
  entries: readonly Accepted[],
  changelogText: string,
): string[] {
  const matchers = entries.map((entry) => ({ entry, pattern: patternOf(entry.change) }));
  const open = changes.filter((change) => !matchers.some(({ pattern }) => pattern.test(change)));
  const stale = matchers.filter(({ pattern }) => !changes.some((change) => pattern.test(change)));
  const unannounced = entries.filter((entry) => !changelogText.includes(entry.changelog));
  return [
    ...open.map((change) => `breaking: ${change}`),
    ...stale.map(({ entry }) => `accepts nothing any more: ${entry.change}`),
    ...unannounced.map((entry) => `is not in docs/changelog.md: ${entry.changelog}`),
  ];
}

function patternOf(change: string): RegExp {
  const parts = change.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}

function currentDocument(): Document {
  const service = { environment: 'sandbox', publicOrigin: 'https://sandbox.example' } as Service;
  return JSON.parse(JSON.stringify(openApiDocument(routes, service))) as Document;
}

/** Serializes each path, webhook and schema as one line, so that a diff of two releases can be read. */
export function serialize(document: Document): string {
  const lines = JSON.stringify(document, (_, value) => value as unknown, 1).split('\n');
  const joined = lines.map((line) => (/^ {4,}/.test(line) ? line.trim() : `\n${line}`));
  return `${joined.join('').trim()}\n`;
}

if (process.argv[1] === import.meta.filename) {
  const document = currentDocument();
  if (process.argv.includes('--release')) {
    writeFileSync(released, serialize(withoutProse(document)));
    writeFileSync(accepted, '[]\n');
  } else {
    const before = JSON.parse(readFileSync(released, 'utf8')) as Document;
    const problems = problemsOf(
      findBreakingChanges(before, document),
      JSON.parse(readFileSync(accepted, 'utf8')) as Accepted[],
      readFileSync(changelog, 'utf8'),
    );
    for (const problem of problems) console.log(problem);
    if (problems.length > 0) {
      process.exitCode = 1;
      console.log(
        'Undo these changes, or accept them: add each to apps/server/api/accepted-changes.json and an entry for partners to docs/changelog.md.',
      );
    }
  }
}
