import { z } from 'zod';
import { defineTool, ToolFailure, type ToolService } from '../tool.ts';
import { type DocsEntry, findEntries } from './find-entries.ts';
import { sectionOf } from './section-of.ts';

const mostCharacters = 20_000;

const page = z
  .string()
  .max(200)
  .regex(/^(\/docs\/?)?[a-z0-9/.-]*(#[\w.-]*)?$/, {
    error: 'must be a page such as "webhooks", or "webhooks#when-it-fails"',
  });

const searchDocs = defineTool({
  name: 'search_docs',
  title: 'Search the docs',
  description:
    'Finds sections of the documentation by words. Returns the page to read with read_docs, and the beginning of the text.',
  input: z.strictObject({
    query: z
      .string()
      .min(1)
      .max(200)
      .meta({ description: 'Words to look for, not a whole question.' }),
  }),
  example: { query: 'verify webhook signature flask' },
  async run(service, { query }) {
    const found = findEntries(await readEntries(service), query);
    if (found.length === 0) {
      throw new ToolFailure(
        `No section has a word of "${query}". Try other words, or read_docs with the page "index".`,
      );
    }
    return {
      results: found.map(({ url, page: title, heading, text }) => ({
        page: url.replace(/^\/docs\/?/, '') || 'index',
        title: heading === '' ? title : `${title}: ${heading}`,
        text: text.length > 300 ? `${text.slice(0, 300)} …` : text,
      })),
    };
  },
});

const readDocs = defineTool({
  name: 'read_docs',
  title: 'Read a page of the docs',
  description:
    'Returns a page of the documentation, or one of its sections, as Markdown. The line above a code block names its file. Without a page, lists all pages. To add Svc to an app, begin with "existing-app".',
  input: z.strictObject({
    page: page.optional().meta({
      description: 'The page, such as "existing-app", or a section, such as "webhooks#retries".',
    }),
    offset: z
      .int()
      .min(0)
      .max(2_000_000)
      .default(0)
      .meta({
        description: `Where to continue in a page of more than ${mostCharacters.toLocaleString('en-US')} characters.`,
      }),
  }),
  example: { page: 'existing-app' },
  async run(service, { page: asked = '', offset }) {
    const [path = '', section = ''] = asked.replace(/^\/docs\/?/, '').split('#');
    const name = path.replace(/\.md$/, '').replace(/\/$/, '');
    const file = name === '' ? '/llms.txt' : `/docs/${name}.md`;
    const whole = name.includes('..') ? null : await service.readDocs(file);
    if (whole === null) {
      throw new ToolFailure(`There is no page "${name}". Without a page, read_docs lists all.`);
    }
    const text = section === '' ? whole : sectionOf(whole, section);
    if (text === null) {
      throw new ToolFailure(
        `The page "${name}" has no section "${section}". Read it without a section.`,
      );
    }
    const part = text.slice(offset, offset + mostCharacters);
    const next = offset + part.length;
    const rest =
      next < text.length
        ? `\n\n(${text.length - next} more characters: read_docs with "offset": ${next}.)`
        : '';
    return part + rest;
  },
});

async function readEntries(service: ToolService): Promise<readonly DocsEntry[]> {
  const list = (await service.readDocs('/llms.txt')) ?? '';
  const [index] = /\/docs\/assets\/search-[\w-]+\.json/.exec(list) ?? [];
  const json = index === undefined ? null : await service.readDocs(index);
  if (json === null) {
    throw new ToolFailure(`${service.origin} has no docs with a search index. Update the service.`);
  }
  return JSON.parse(json);
}

export const docsTools = [searchDocs, readDocs];
