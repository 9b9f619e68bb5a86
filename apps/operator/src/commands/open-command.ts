import type { CommandValues } from '../api/commands.ts';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** A command whose dialog should open, with the part of its input that is known. */
export interface AskedCommand {
  readonly name: string;
  readonly input: CommandValues;
  /** Describes what the command acts on, if the input has only ids. */
  readonly about?: string;
  /** Fields that make no sense here, so the dialog does not ask for them. */
  readonly without?: readonly string[];
  /** Fields that are optional for the command but required here. */
  readonly needed?: readonly string[];
  /** The possible values of a field, if the page knows them. */
  readonly choices?: Readonly<Record<string, readonly Choice[]>>;
  /** Called once the command has run. */
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
