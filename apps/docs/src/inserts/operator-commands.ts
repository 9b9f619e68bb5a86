import type { Command } from '../../../server/src/operator/command.ts';
import { commands } from '../../../server/src/operator/commands/index.ts';
import { usageOf } from '../../../server/src/operator/parse-command-line.ts';
import type { Insert } from './insert.ts';

/** Returns a table of the operator's commands with their options, in the order of `svc-admin help`. */
export function operatorCommands(): Insert {
  const rows = (commands as readonly Command[]).map(
    (command) =>
      `| \`${usageOf(command)}\` | ${sentence(command.summary)} | ${optionsOf(command)} |`,
  );
  return {
    markdown: ['| Command | What it does | Options |', '|---|---|---|', ...rows].join('\n'),
  };
}

function optionsOf({ input, needsReason, effect, money }: Command): string {
  const own = Object.values(input)
    .map(({ syntax }) => syntax)
    .filter((syntax) => syntax.startsWith('--'));
  const always = effect === 'control' || (effect === 'change' && needsReason({}));
  const common = [
    ...(always ? ['--reason <text>'] : []),
    ...(money === undefined ? [] : ['--dry-run', '--idempotency-key <key>']),
  ];
  return [...own, ...common].map((option) => `\`${option}\``).join(' ');
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}
