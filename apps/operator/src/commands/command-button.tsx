import { useQuery } from '@tanstack/react-query';
import { type CommandValues, commandsQuery } from '../api/commands.ts';
import { openCommand } from './open-command.ts';

/** Opens a command's dialog. People whose role does not allow the command do not see the button. */
export function CommandButton(props: {
  command: string;
  input: CommandValues;
  onDone?: () => void;
  children: string;
}) {
  const { command, input, onDone, children } = props;
  const isAllowed = useQuery(commandsQuery).data?.some(({ name }) => name === command) ?? false;
  if (!isAllowed) return null;
  return (
    <button
      type="button"
      className="svc-button svc-button--secondary svc-button--small"
      onClick={() => openCommand({ name: command, input, ...(onDone && { onDone }) })}
    >
      {children}
    </button>
  );
}
