import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The messages of package managers whose registry cannot be reached. */
export const offline =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|name resolution|not known|Could not reach host|curl error 6/;

/** A code block of a guide: commands to run, or a file to write. */
export interface Block {
  readonly language: string;
  /** The file that the reader writes; null for commands. */
  readonly title: string | null;
  readonly code: string;
}

/** The code blocks of a page as the service prints them, in order. */
export async function printedBlocks(origin: string, page: string): Promise<Block[]> {
  const answer = await fetch(`${origin}/docs/${page}.md`);
  if (!answer.ok) throw new Error(`/docs/${page}.md: ${answer.status}`);
  return blocksIn(await answer.text());
}

/** The code blocks of Markdown as the docs print it. A caption stands two lines above its block: `app.py:`. */
export function blocksIn(markdown: string): Block[] {
  const blocks = markdown.matchAll(/(?:^(\S[^\n]*):\n\n)?^```(\w+)\n([\s\S]*?)^```$/gm);
  return Array.from(blocks, ([, title, language = '', code = '']) => ({
    language,
    title: title !== undefined && /^[\w./[\]-]+\.\w+$/.test(title) ? title : null,
    code,
  }));
}

/** The commands of a block, each with its continued lines and its here-document. */
export function commandsOf({ code }: Block): string[] {
  const commands: string[] = [];
  let end: string | null = null;
  let open = false;
  for (const line of code.trimEnd().split('\n')) {
    if (end !== null || open) commands.push(`${commands.pop()}\n${line}`);
    else commands.push(line);
    open = end === null && line.endsWith('\\');
    if (end !== null && line === end) end = null;
    else end ??= /<<'?(\w+)/.exec(line)?.[1] ?? null;
  }
  return commands;
}

/** The input of a developer who follows a guide: commands, and lines of code and settings. */
export function effortOf(blocks: readonly Block[]): { commands: string[]; lines: number } {
  const commands = blocks.filter(({ title }) => title === null).flatMap(commandsOf);
  const written = [
    ...blocks.filter(({ title }) => title !== null).flatMap(({ code }) => code.split('\n')),
    // The lines within here-documents are settings.
    ...commands.flatMap((command) =>
      command.includes('<<') ? command.split('\n').slice(1, -1) : [],
    ),
  ];
  return { commands, lines: written.filter((line) => line.trim() !== '').length };
}

/** Writes a file of the guide into the developer's project. */
export async function writeBlock(folder: string, { title, code }: Block): Promise<void> {
  const path = join(folder, title ?? '');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, code);
}

export type Terminal = ReturnType<typeof openTerminal>;

/** A shell that keeps its folder and its variables from command to command. */
export function openTerminal(folder: string, env: NodeJS.ProcessEnv) {
  // Its own process group, so that a server that it starts ends with it.
  const shell: ChildProcess = spawn('bash', ['--noprofile', '--norc'], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  let printed = '';
  const listeners = new Set<() => void>();
  for (const stream of [shell.stdout, shell.stderr]) {
    stream?.on('data', (data) => {
      printed += data;
      for (const listener of listeners) listener();
    });
  }
  const ended = once(shell, 'close');
  let count = 0;
  return {
    /** All output so far. */
    output: () => printed,
    /** Types a command that does not end, such as a server. */
    start: (command: string) => void shell.stdin?.write(`${command}\n`),
    /** Runs a command, and resolves with what it printed. Rejects if it fails. */
    run(command: string): Promise<string> {
      const mark = `done-${++count}`;
      const from = printed.length;
      shell.stdin?.write(`${command}\nprintf '\\n%s:%s\\n' ${mark} $?\n`);
      return new Promise((resolve, reject) => {
        const look = () => {
          const text = printed.slice(from);
          const found = new RegExp(`^${mark}:(\\d+)$`, 'm').exec(text);
          if (!found) return;
          listeners.delete(look);
          if (found[1] === '0') resolve(text.slice(0, found.index));
          else reject(new Error(`"${command}" failed with ${found[1]}:\n${text}`));
        };
        listeners.add(look);
        look();
        void ended.then(() => reject(new Error(`The terminal has ended:\n${printed}`)));
      });
    },
    async close(): Promise<void> {
      if (shell.pid !== undefined && shell.exitCode === null) process.kill(-shell.pid, 'SIGKILL');
      await ended;
    },
  };
}
