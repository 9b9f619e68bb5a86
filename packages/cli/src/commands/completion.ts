import type { Command } from 'commander';
import { caseNames } from '../certify/cases.ts';
import { addCommand, type CommandParts, createContext } from '../command.ts';
import { exitCodes, usageFailure } from '../failure.ts';
import { scenarios } from './scenario.ts';
import { exportFormats, underwritingResults } from './tenant-fork.ts';
import { eventTypeNames } from './trigger.ts';

const scripts = {
  bash: `_svc() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(svc __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _svc svc
`,
  zsh: `#compdef svc
_svc() {
  local -a found
  found=("\${(@f)$(svc __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a found
}
compdef _svc svc
`,
  fish: `function __svc_complete
  set -l words (commandline -opc) (commandline -ct)
  svc __complete -- $words[2..-1] 2>/dev/null
end
complete -c svc -f -a '(__svc_complete)'
`,
};

type Shell = keyof typeof scripts;

export function addCompletion(program: Command, parts: CommandParts): void {
  addCommand(program, parts, {
    name: 'completion',
    summary: 'print a script that completes commands, options, event types and scenarios',
    examples: [
      ['eval "$(svc completion bash)"', 'in ~/.bashrc'],
      ['eval "$(svc completion zsh)"', 'in ~/.zshrc, after compinit'],
      ['svc completion fish > ~/.config/fish/completions/svc.fish', ''],
    ],
    define: (command) => command.argument('<shell>', 'bash, zsh or fish'),
    action: async ({ environment }, _options, shell = '') => {
      if (!Object.hasOwn(scripts, shell)) {
        throw usageFailure(`There is no completion for "${shell}".`, 'Use bash, zsh or fish.');
      }
      environment.output.write(scripts[shell as Shell]);
      return exitCodes.ok;
    },
  });
  // The scripts call it with the words that were typed, the last of them unfinished.
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .action(async (words: string[]) => {
      const found = await complete(program, words, parts);
      parts.environment.output.write(found.map((word) => `${word}\n`).join(''));
    });
}

async function complete(
  program: Command,
  words: readonly string[],
  parts: CommandParts,
): Promise<string[]> {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  let command = program;
  const rest: string[] = [];
  for (const word of before) {
    const next = command.commands.find((it) => it.name() === word);
    if (next) command = next;
    else rest.push(word);
  }
  const candidates = typed.startsWith('-')
    ? optionsOf(command)
    : [
        ...command.commands.map((it) => it.name()).filter((name) => !name.startsWith('__')),
        ...(await valuesOf(command, rest, parts)),
      ];
  return candidates.filter((word) => word.startsWith(typed));
}

function optionsOf(command: Command): string[] {
  const chain: Command[] = [];
  for (let at: Command | null = command; at; at = at.parent) chain.push(at);
  return [
    ...new Set(chain.flatMap((it) => it.options.map(({ long }) => long ?? ''))),
    '--help',
  ].filter((name) => name !== '');
}

/** Values of a command's first argument, or of the option before the cursor. */
async function valuesOf(
  command: Command,
  rest: readonly string[],
  parts: CommandParts,
): Promise<string[]> {
  const context = createContext(parts.environment, { color: false });
  const last = rest.at(-1);
  if (last === '--profile') return Object.keys(context.store.readConfig().profiles);
  if (last === '--method') return ['bank', 'card'];
  if (last === '--as') return exportFormats;
  if (last === '--underwriting') return [...underwritingResults];
  if (last === '--only') return [...caseNames];
  const wantsTypes =
    last === '--events' || (command.name() === 'trigger' && (rest.length === 0 || last === '-'));
  try {
    if (wantsTypes) return await eventTypeNames(context);
  } catch {
    // Without a service or a key there is nothing to suggest.
    return [];
  }
  if (rest.length > 0) return [];
  if (command.name() === 'scenario') return Object.keys(scenarios);
  if (command.name() === 'completion') return Object.keys(scripts);
  if (command.name() === 'use') return Object.keys(context.store.readConfig().profiles);
  return [];
}
