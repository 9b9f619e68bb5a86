import type { CommandValues } from '../api/commands.ts';

/** A command to ask about, with what is known of its input. */
export interface AskedCommand {
  readonly name: string;
  readonly input: CommandValues;
  /** Called once it has run. */
  readonly onDone?: () => void;
}

/** Opens the command's dialog, wherever the person is. */
export function openCommand(asked: AskedCommand): void {
  dispatchEvent(new CustomEvent<AskedCommand>(commandEvent, { detail: asked }));
}

export function onOpenCommand(run: (asked: AskedCommand) => void): () => void {
  const listener = (event: Event) => run((event as CustomEvent<AskedCommand>).detail);
  addEventListener(commandEvent, listener);
  return () => removeEventListener(commandEvent, listener);
}

const commandEvent = 'operator:command';
