import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type Block, blocksIn } from './newcomer.ts';

/**
 * In place of a coding agent: no model can be reached from the tests. It calls the tools of the MCP server in a
 * fixed order. Whatever it writes or runs must stand in an earlier answer of a tool, word for word, so the
 * answers are enough to integrate an app.
 */
export async function openAgent(transport: Transport) {
  const client = new Client({ name: 'scripted-agent', version: '1.0.0' });
  await client.connect(transport);
  const answers = [client.getInstructions() ?? ''];
  const { tools } = await client.listTools();
  answers.push(JSON.stringify(tools));

  async function use(tool: string, input: object = {}): Promise<string> {
    const result = await client.callTool({ name: tool, arguments: { ...input } }, undefined, {
      timeout: 120_000,
    });
    const [content] = result.content as { text: string }[];
    const text = content?.text ?? '';
    if (result.isError) throw new Error(`${tool} ${JSON.stringify(input)}: ${text}`);
    answers.push(text);
    return text;
  }

  return {
    use,
    /** An answer that is JSON. */
    async json<T>(tool: string, input: object = {}): Promise<T> {
      const answer = JSON.parse(await use(tool, input)) as T;
      // As written in the answer, strings have escapes.
      answers.push(...stringsIn(answer));
      return answer;
    },
    /** Reads a whole page of the docs. */
    async read(page: string): Promise<string> {
      let text = '';
      for (let offset = 0; ; offset = text.length) {
        const part = await use('read_docs', { page, offset });
        const [rest = ''] = /\n\n\(\d+ more characters: [^\n]+\)$/.exec(part) ?? [];
        text += part.slice(0, part.length - rest.length);
        if (rest === '') break;
      }
      answers.push(text);
      return text;
    },
    /** Returns the text if a tool has answered it. @throws otherwise */
    quote(text: string): string {
      if (answers.some((answer) => answer.includes(text))) return text;
      throw new Error(`No tool has answered this: ${text}`);
    },
    close: () => client.close(),
  };
}

export type Agent = Awaited<ReturnType<typeof openAgent>>;

/** The code blocks of one tab of a page, such as "Flask". */
export function blocksOfTab(markdown: string, tab: string): Block[] {
  return blocksIn(textOfTab(markdown, tab));
}

/** The command below a caption of a tab, such as "Start". */
export function commandOfTab(markdown: string, tab: string, caption: string): string {
  const [, after = ''] = textOfTab(markdown, tab).split(`\n${caption}:\n\n`);
  return blocksIn(after)[0]?.code.trim() ?? '';
}

/** From the tab's bold title to the next one, or to the next heading. */
function textOfTab(markdown: string, tab: string): string {
  const [, ...rest] = markdown.split(`\n**${tab}**\n`);
  const text = rest.join('\n');
  const end = text.search(/^(\*\*[^*\n]+\*\*$|## )/m);
  return `${end === -1 ? text : text.slice(0, end)}\n`;
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}
