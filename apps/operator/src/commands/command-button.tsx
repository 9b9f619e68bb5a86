import { useQuery } from '@tanstack/react-query';
import { type CommandValues, commandsQuery } from '../api/commands.ts';
import { type AskedCommand, openCommand } from './open-command.ts';

/** Opens a command's dialog. People whose role does not allow the command do not see the button. */
export function CommandButton(props: {
  command: string;
  /** Another command that it runs, which the role must allow as well. */
  runs?: string;
  input: CommandValues;
  about?: string;
  without?: AskedCommand['without'];
  choices?: AskedCommand['choices'];
  onDone?: () => void;
  isPrimary?: boolean;
  children: string;
}) {
  const {
    command,
    runs = command,
    input,
    about,
    without,
    choices,
    onDone,
    isPrimary = false,
    children,
  } = props;
  const mayRun = useMayRun(command);
  const mayRunThat = useMayRun(runs);
  if (!mayRun || !mayRunThat) return null;
  return (
    <button
      type="button"
      className={`svc-button svc-button--small ${isPrimary ? '' : 'svc-button--secondary'}`}
      onClick={() =>
        openCommand({
          name: command,
          input,
          ...(about !== undefined && { about }),
          ...(without && { without }),
          ...(choices && { choices }),
          ...(onDone && { onDone }),
        })
      }
    >
      {children}
    </button>
  );
}

/** Returns whether the role allows the command and the installation has it. The service checks it again. */
export function useMayRun(command: string): boolean {
  return useQuery(commandsQuery).data?.some(({ name }) => name === command) ?? false;
}
