import type { CommandValues } from '../api/commands.ts';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** A command to ask about, with what is known of its input. */
export interface AskedCommand {
  readonly name: string;
  readonly input: CommandValues;
  /** Says what it is about, where the input has only ids. */
  readonly about?: string;
  /** Fields that make no sense here, so the dialog does not ask for them. */
  readonly without?: readonly string[];
  /** Fields that the command leaves open, and that are needed here. */
  readonly needed?: readonly string[];
  /** The values of a field that are possible, where the page knows them. */
  readonly choices?: Readonly<Record<string, readonly Choice[]>>;
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
