import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { z } from 'zod';

/** The sections of the sidebar, in order. Those in `folded` are closed unless they hold the open page. */
export const sections = [
  'Get started',
  'Frontend',
  'Backend',
  'Webhooks',
  'Test and debug',
  'Reference',
  'Go live',
  'Operate',
  'Project',
] as const;
export const folded: readonly string[] = ['Operate', 'Project'];

const frontMatter = z.strictObject({
  title: z.string(),
  /** The page's name in the sidebar, if the title is too long for it. */
  short: z.string().optional(),
  description: z.string(),
  section: z.enum(sections),
  order: z.coerce.number(),
  /** Former addresses, such as `/docs/sdk`. They redirect to the page. */
  aliases: z.array(z.string().startsWith('/docs/')).default([]),
});

/** A page as read from its file. */
export interface Page extends z.infer<typeof frontMatter> {
  /** `/docs/webhooks`, or `/docs` for the start page. */
  readonly path: string;
  /** Path from the root of the repository: `docs/webhooks.md`. */
  readonly file: string;
  /** The Markdown below the front matter. */
  readonly source: string;
}

/** Files in `docs/` that are for contributors and not pages. */
const notPages = new Set(['glossary.md']);

/** Reads all pages below `docs/`, in the order of the sidebar. */
export function readPages(root: string): Page[] {
  return readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md') && !notPages.has(name) && !name.startsWith('snippets/'))
    .map((name) => {
      const file = posix.join('docs', name);
      return parsePage(file, readFileSync(join(root, file), 'utf8'));
    })
    .toSorted(bySidebar);
}

/** Splits a file into its front matter and its Markdown. Refuses unknown and missing fields by name. */
export function parsePage(file: string, text: string): Page {
  const [, head, source = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  if (head === undefined) {
    throw new Error(
      `${file} has no front matter. Begin it with ---, title, description, section, order, ---.`,
    );
  }
  const parsed = frontMatter.safeParse(readFields(head));
  if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
  // The page's heading is its title. A heading in the file is for readers of the repository only.
  return { ...parsed.data, file, source: source.replace(/^\s*# .+\n/, ''), path: pathOf(file) };
}

/** Reads `name: value` lines. A value may be quoted, or a list such as `[a, b]`. */
function readFields(head: string): Record<string, string | string[]> {
  return Object.fromEntries(
    head.split('\n').map((line) => {
      const [, name = line, value = ''] = /^(\w+): *(.*)$/.exec(line) ?? [];
      const [, list] = /^\[(.*)\]$/.exec(value) ?? [];
      const [, quoted] = /^"(.*)"$/.exec(value) ?? /^'(.*)'$/.exec(value) ?? [];
      return [name, list === undefined ? (quoted ?? value) : list.split(/, */)] as const;
    }),
  );
}

/** Returns the address of a file in `docs/`. */
function pathOf(file: string): string {
  const name = file.replace(/^docs\//, '').replace(/\.md$/, '');
  return name === 'README' ? '/docs' : `/docs/${name}`;
}

function bySidebar(a: Page, b: Page): number {
  return sections.indexOf(a.section) - sections.indexOf(b.section) || a.order - b.order;
}
