import { markdownPath } from './layout.ts';
import type { RenderedPage } from './render-page.ts';

type Page = Pick<RenderedPage, 'title' | 'path' | 'description' | 'section' | 'markdown'>;

const intro =
  '# Svc\n\n> Lets tenants split their rent into payments, inside a property portal: a widget, an API with webhooks, and a sandbox.\n\nMoney is integer cents. The API is described at /v1/openapi.json.';

/** About 170,000 tokens. A model should be able to read all of it. */
const maxCharacters = 600_000;

/** Lists all pages for language models (https://llmstxt.org). `searchIndex` is the search index's address. */
export function llmsText(pages: readonly Page[], searchIndex: string): string {
  const parts = [...new Set(pages.map(({ section }) => section))].map((section) => {
    const links = pages
      .filter((page) => page.section === section)
      .map(({ title, path, description }) => `- [${title}](${markdownPath(path)}): ${description}`);
    return `## ${section}\n\n${links.join('\n')}`;
  });
  const more = `The pages for integrators are one file at /llms-full.txt. Their search index is ${searchIndex}. Coding agents can use tools instead: [Integrate with a coding agent](/docs/agents.md).`;
  return `${intro}\n\n${more}\n\n${parts.join('\n\n')}\n`;
}

/**
 * Returns the pages for integrators as one file. It leaves out the pages for operators, and the reference of the API,
 * which is a third of the docs and whose source is the OpenAPI document.
 * @throws when it is too long for a model to read
 */
export function llmsFullText(pages: readonly Page[]): string {
  const included = pages.filter(
    ({ section, path }) => section !== 'Operate' && path !== '/docs/api',
  );
  const rest =
    'This file has the pages for integrators. The API reference is at /docs/api.md, and the pages for operators are listed in /llms.txt.';
  const texts = included.map(({ path, markdown }) => `<!-- ${markdownPath(path)} -->\n${markdown}`);
  const whole = [intro, rest, ...texts].join('\n\n');
  if (whole.length <= maxCharacters) return whole;
  throw new Error(
    `llms-full.txt has ${whole.length} characters, and the limit is ${maxCharacters}. Leave out a section.`,
  );
}
