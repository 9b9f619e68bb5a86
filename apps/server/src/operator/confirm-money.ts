import { type Answer, describeResult } from './administer.ts';
import { type Call, requireKey } from './parse-command-line.ts';

export interface Terminal {
  /** Whether a person sees what is written and can answer. */
  readonly isTerminal: boolean;
  write(text: string): void;
  ask(question: string): Promise<string>;
}

/**
 * On a terminal, shows what a command that moves money would do, and asks. Elsewhere, a command that would
 * move money again if it were repeated needs a key. Returns false after saying why it must not run.
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
  // The command itself says when it was done.
  if (answer.doneAt !== undefined) return true;
  write(`The command will do this:\n\n${describeResult(call.request, answer.result)}\n`);
  const reply = await ask('Type "yes" to do it: ');
  if (reply.trim().toLowerCase() === 'yes') return true;
  write('Nothing was changed.\n');
  return false;
}
