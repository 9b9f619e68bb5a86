import { type Answer, describeResult } from './administer.ts';
import { type Call, requireKey } from './parse-command-line.ts';

export interface Terminal {
  /** True if a person sees what is written and can answer. */
  readonly isTerminal: boolean;
  write(text: string): void;
  ask(question: string): Promise<string>;
}

/**
 * On a terminal, shows what a command that moves money would do, and asks. Elsewhere, a command that would move
 * money again if it were repeated needs a key. Returns false if the command must not run, after writing why.
 * @throws UsageError without that key
 */
export async function confirmMoney(
  call: Call,
  { isTerminal, write, ask }: Terminal,
  rehearse: () => Promise<Answer>,
): Promise<boolean> {
  if (call.manner.dryRun) return true;
  if (!isTerminal) {
    requireKey(call);
    return true;
  }
  if (call.yes) return true;
  const answer = await rehearse();
  if (!answer.ok) {
    write(`${answer.message}\n`);
    return false;
  }
  // It was done before with this key. The command itself then only says when.
  if (answer.doneAt !== undefined) return true;
  const does = answer.needsApproval
    ? 'A second person must approve the command. It will then do this:'
    : 'The command will do this:';
  write(`${does}\n\n${describeResult(call.request, answer.result)}\n`);
  const reply = await ask('Type "yes" to do it: ');
  if (reply.trim().toLowerCase() === 'yes') return true;
  write('Nothing was changed.\n');
  return false;
}
