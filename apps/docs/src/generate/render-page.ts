import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import MarkdownIt from 'markdown-it';
import { inserts } from '../inserts/inserts.ts';
import { sequenceDiagram } from '../inserts/sequence-diagram.ts';
import { stateDiagram } from '../inserts/state-diagram.ts';
import { type Block, parseBlocks } from './blocks.ts';
import { escapeHtml } from './escape-html.ts';
import { type Fence, parseFence, regionOf, uncheckedBecause } from './fence.ts';
import { highlight, languages } from './highlight.ts';
import type { Page } from './pages.ts';
import { pngSize } from './png-size.ts';

export interface Heading {
  readonly depth: number;
  readonly id: string;
  /** Plain text. */
  readonly text: string;
}

/** A part of a page that search finds: the text below one heading. */
interface SearchEntry {
  /** `/docs/webhooks#when-it-fails` */
  readonly url: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

/** A page that is ready for the layout. The reference makes such pages, too. */
export interface RenderedPage {
  readonly path: string;
  readonly title: string;
  readonly short: string;
  readonly description: string;
  readonly section: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly search: readonly SearchEntry[];
  /** The page as Markdown, for `<path>.md`. */
  readonly markdown: string;
  /** True if code is next to the text. The page then also takes the space of the table of contents. */
  readonly wide: boolean;
}

interface RenderContext {
  /** The root of the repository. */
  readonly root: string;
  /** Addresses of all pages by file, for links between files. */
  readonly pathsByFile: ReadonlyMap<string, string>;
}

const containers = new Set([
  'note',
  'tip',
  'warning',
  'tabs',
  'beside',
  'steps',
  'cards',
  'details',
]);
const shownLanguages = new Set(Object.keys(languages));

/** Renders a page. Throws with the file's name if a block is not checked or cannot be rendered. */
export function renderPage(page: Page, context: RenderContext): RenderedPage {
  try {
    return new PageRenderer(page, context).render();
  } catch (error) {
    throw new Error(`${page.file}: ${(error as Error).message}`, { cause: error });
  }
}

class PageRenderer {
  readonly #page: Page;
  readonly #context: RenderContext;
  readonly #ids = new Set<string>();
  readonly #headings: Heading[] = [];
  readonly #search: { heading: Heading | null; text: string[] }[] = [{ heading: null, text: [] }];
  readonly #markdownIt: MarkdownIt;
  #wide = false;

  constructor(page: Page, context: RenderContext) {
    this.#page = page;
    this.#context = context;
    this.#markdownIt = this.#createMarkdownIt();
  }

  render(): RenderedPage {
    const { path, title, short = title, description, section, source } = this.#page;
    const blocks = parseBlocks(source);
    const html = this.#blocks(blocks);
    return {
      path,
      title,
      short,
      description,
      section,
      html,
      headings: this.#headings,
      search: this.#search.flatMap(({ heading, text }) => ({
        url: heading === null ? path : `${path}#${heading.id}`,
        page: title,
        heading: heading?.text ?? '',
        text: bodyText(text, heading),
      })),
      markdown: `# ${title}\n\n> ${description}\n\n${this.#toMarkdown(blocks).trim()}\n`,
      wide: this.#wide,
    };
  }

  #blocks(blocks: readonly Block[]): string {
    return blocks.map((block) => this.#block(block)).join('\n');
  }

  #block(block: Block): string {
    switch (block.kind) {
      case 'markdown':
        return this.#markdownIt.render(block.text);
      case 'fence':
        return this.#code(block.info, block.code);
      case 'insert':
        return this.#insert(block.name);
      case 'tab':
        throw new Error(`The tab "${block.title}" is outside of :::tabs.`);
      case 'container':
        return this.#container(block);
    }
  }

  #container(block: Block & { kind: 'container' }): string {
    const { name, title, children } = block;
    if (!containers.has(name)) throw new Error(`There is no container :::${name}.`);
    if (name === 'tabs') return this.#tabs(children);
    if (name === 'beside') return this.#beside(children);
    const inner = this.#blocks(children);
    if (name === 'details') {
      return `<details class="more"><summary>${this.#inline(title)}</summary>\n${inner}</details>`;
    }
    if (name === 'steps' || name === 'cards') return `<div class="${name}">\n${inner}</div>`;
    const label =
      title === '' ? ({ note: 'Note', tip: 'Tip', warning: 'Warning' }[name] ?? '') : title;
    return `<div class="callout callout-${name}" role="note"><p class="callout-title">${this.#inline(label)}</p>\n${inner}</div>`;
  }

  #tabs(children: readonly Block[]): string {
    const tabs = children.map((child) => {
      if (child.kind !== 'tab') throw new Error(':::tabs must begin with "=== Title".');
      return `<div class="tab" data-tab="${escapeHtml(child.title)}"><p class="tab-title">${escapeHtml(child.title)}</p>\n${this.#blocks(child.children)}</div>`;
    });
    return `<div class="tabs">\n${tabs.join('\n')}</div>`;
  }

  /** Renders code into the right column, and everything else into the left one. */
  #beside(children: readonly Block[]): string {
    this.#wide = true;
    const isCode = (child: Block) =>
      child.kind === 'fence' || (child.kind === 'container' && child.name === 'tabs');
    const text = this.#blocks(children.filter((child) => !isCode(child)));
    const code = this.#blocks(children.filter(isCode));
    return `<div class="beside"><div class="beside-text">\n${text}</div>\n<div class="beside-code">\n${code}</div></div>`;
  }

  #insert(name: string): string {
    const insert = inserts[name];
    if (!insert) throw new Error(`There is no insert "${name}".`);
    const { html, markdown } = insert();
    return html ?? this.#blocks(parseBlocks(markdown));
  }

  #code(info: string, written: string): string {
    if (info.startsWith('states')) return stateDiagram(written);
    if (info.startsWith('sequence')) return sequenceDiagram(written);
    const fence = parseFence(info);
    const problem = uncheckedBecause(fence, shownLanguages);
    if (problem !== null)
      throw new Error(`${problem} (it begins with "${written.split('\n')[0]}")`);
    const code = this.#codeOf(fence, written);
    this.#addText(code);
    return codeBlock(code, fence.language, fence.title);
  }

  /** Returns the block's own text, or that of the file it names. */
  #codeOf({ file }: Fence, written: string): string {
    if (file === undefined) return written;
    const [path = '', region] = file.split('#');
    return regionOf(readFileSync(join(this.#context.root, path), 'utf8'), region);
  }

  #inline(text: string): string {
    return this.#markdownIt.renderInline(text);
  }

  #addText(text: string): void {
    this.#search.at(-1)?.text.push(text);
  }

  #createMarkdownIt(): MarkdownIt {
    const markdownIt = new MarkdownIt({ html: false, linkify: false, typographer: false });
    const { rules } = markdownIt.renderer;
    rules.heading_open = (tokens, index) => {
      const token = tokens[index];
      const inline = tokens[index + 1];
      const depth = Number(token?.tag.slice(1));
      const content = inline?.content ?? '';
      const [, explicitId] = /\s*\{#([\w.-]+)\}$/.exec(content) ?? [];
      if (explicitId !== undefined && inline) {
        inline.content = content.replace(/\s*\{#[\w.-]+\}$/, '');
        const last = inline.children?.at(-1);
        if (last) last.content = last.content.replace(/\s*\{#[\w.-]+\}$/, '');
      }
      const text = plainText(inline?.content ?? '');
      const id = this.#claim(explicitId ?? slugOf(text));
      const above = this.#headings.at(-1)?.depth ?? 1;
      if (depth > above + 1) throw new Error(`The heading "${text}" skips a level.`);
      const heading = { depth, id, text };
      this.#headings.push(heading);
      this.#search.push({ heading, text: [] });
      return `<${token?.tag} id="${id}"><a class="anchor" href="#${id}">`;
    };
    rules.heading_close = (tokens, index) => `</a></${tokens[index]?.tag}>\n`;
    rules.code_inline = (tokens, index) => {
      const code = tokens[index]?.content ?? '';
      const html = escapeHtml(code);
      this.#addText(code);
      // The names of the SDK's events and of similar constants are anchors where they first occur.
      const isConstant = /^[A-Z][A-Z_]{3,}$/.test(code) && !this.#ids.has(code);
      return `<code${isConstant ? ` id="${this.#claim(code)}"` : ''}>${html}</code>`;
    };
    rules.text = (tokens, index) => {
      this.#addText(tokens[index]?.content ?? '');
      return escapeHtml(tokens[index]?.content ?? '');
    };
    const closingTags: string[] = [];
    rules.link_open = (tokens, index) => {
      const address = this.#address(String(tokens[index]?.attrGet('href')));
      closingTags.push(address === null ? '</span>' : '</a>');
      return address === null ? '<span class="file">' : `<a href="${escapeHtml(address)}">`;
    };
    rules.link_close = () => closingTags.pop() ?? '';
    rules.image = (tokens, index) => {
      const token = tokens[index];
      const source = String(token?.attrGet('src'));
      const file = posix.join(posix.dirname(this.#page.file), source);
      const { width, height } = pngSize(readFileSync(join(this.#context.root, file)));
      const address = `/${file}`;
      return `<img src="${address}" alt="${escapeHtml(token?.content ?? '')}" width="${Math.round(width / 2)}" height="${Math.round(height / 2)}" loading="lazy">`;
    };
    rules.table_open = (tokens, index) => {
      // The first column's name follows the tokens that open the table, its head, the row and the cell.
      const isFields = /^(Field|Setting|Prop)\b/.test(tokens[index + 4]?.content ?? '');
      return `<div class="table${isFields ? ' field-table' : ''}" tabindex="0" role="group" aria-label="${isFields ? 'Fields' : 'Table'}"><table>\n`;
    };
    rules.table_close = () => '</table></div>\n';
    // A table without a header has empty cells there. The alignment comes as a style, which the pages'
    // policy forbids, so it becomes a class.
    const cell = (tag: string, style: string | number | null | undefined) =>
      String(style ?? '').includes('right') ? `<${tag} class="right">` : `<${tag}>`;
    const headTag = (content: string | undefined) => (content === '' ? 'td' : 'th');
    rules.th_open = (tokens, index) =>
      cell(headTag(tokens[index + 1]?.content), tokens[index]?.attrGet('style'));
    rules.th_close = (tokens, index) => `</${headTag(tokens[index - 1]?.content)}>`;
    rules.td_open = (tokens, index) => cell('td', tokens[index]?.attrGet('style'));
    rules.fence = (tokens, index) =>
      this.#code(tokens[index]?.info ?? '', (tokens[index]?.content ?? '').trimEnd());
    return markdownIt;
  }

  /** Makes an id unique on the page. */
  #claim(id: string): string {
    let unique = id === '' ? 'section' : id;
    for (let count = 2; this.#ids.has(unique); count += 1) unique = `${id}-${count}`;
    this.#ids.add(unique);
    return unique;
  }

  /** Returns a link's address: for a page's file, the page; for another file of the repository, null. */
  #address(href: string): string | null {
    if (/^(https?:|mailto:|#|\/)/.test(href)) return href;
    const [path = '', anchor] = href.split('#');
    const target = posix.join(posix.dirname(this.#page.file), path);
    const page = this.#context.pathsByFile.get(target);
    if (page !== undefined) return anchor === undefined ? page : `${page}#${anchor}`;
    if (existsSync(join(this.#context.root, target))) return null;
    throw new Error(`The link to ${href} leads to no file.`);
  }

  /** Renders Markdown that needs no generator: files and inserts are in place, and containers are text. */
  #toMarkdown(blocks: readonly Block[]): string {
    return blocks.map((block) => this.#blockToMarkdown(block)).join('\n\n');
  }

  #blockToMarkdown(block: Block): string {
    switch (block.kind) {
      case 'markdown':
        return (
          block.text
            // Links within the page lead to these ids.
            .replace(/\s*\{#([\w.-]+)\}$/gm, ' <a id="$1"></a>')
            .replace(
              /(!?)\[([^\]]*)\]\((?!https?:|#|\/|mailto:)([^)\s]+)\)/g,
              (_, mark: string, text: string, href: string) => {
                const address = this.#markdownAddress(href);
                // A file of the repository, which readers of the site don't have.
                return address === null ? text : `${mark}[${text}](${address})`;
              },
            )
            .trim()
        );
      case 'fence': {
        const fence = parseFence(block.info);
        const title = fence.title === undefined ? '' : `${fence.title}:\n\n`;
        return `${title}\`\`\`${fence.language}\n${this.#codeOf(fence, block.code)}\n\`\`\``;
      }
      case 'insert':
        return this.#toMarkdown(parseBlocks(inserts[block.name]?.().markdown ?? ''));
      case 'tab':
        return `**${block.title}**\n\n${this.#toMarkdown(block.children)}`;
      case 'container': {
        const title = block.title === '' ? '' : `**${block.title}**\n\n`;
        return title + this.#toMarkdown(block.children);
      }
    }
  }

  #markdownAddress(href: string): string | null {
    if (href.endsWith('.png')) return `/${posix.join(posix.dirname(this.#page.file), href)}`;
    return this.#address(href);
  }
}

/** Renders a code block with its caption. A script adds the copy button. */
export function codeBlock(code: string, language: string, title?: string): string {
  const name = title ?? languages[language]?.name ?? language;
  return `<figure class="code" data-language="${language}"><figcaption>${escapeHtml(name)}</figcaption><pre tabindex="0"><code>${highlight(code, language)}</code></pre></figure>`;
}

/** Makes a heading's id by GitHub's rule, so that links between the files work there, too. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

/** Joins the text below a heading, and leaves out the heading itself, which is the first part. */
function bodyText(parts: readonly string[], heading: Heading | null): string {
  const text = parts.join(' ').replace(/\s+/g, ' ').trim();
  return heading !== null && text.startsWith(heading.text)
    ? text.slice(heading.text.length).trim()
    : text;
}

function plainText(markdown: string): string {
  return markdown
    .replace(/`([^`]*)`/g, '$1')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*{1,2}(\S[^*]*)\*{1,2}/g, '$1');
}
