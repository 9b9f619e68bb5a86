import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { commandsQuery } from '../api/commands.ts';
import { ActDialog } from './act-form.tsx';
import { CommandForm } from './command-form.tsx';
import { type AskedCommand, onOpenCommand } from './open-command.ts';

/** Renders the dialog of the command that was opened last. One for the whole console. */
export function CommandDialogs() {
  const [asked, setAsked] = useState<AskedCommand | null>(null);
  const [open, setOpen] = useState(false);
  useEffect(
    () =>
      onOpenCommand((next) => {
        setAsked(next);
        setOpen(true);
      }),
    [],
  );
  const command = useQuery(commandsQuery).data?.find(({ name }) => name === asked?.name);
  return (
    <ActDialog open={open && command !== undefined} onClose={() => setOpen(false)}>
      {command && asked ? (
        <CommandForm command={command} asked={asked} onClose={() => setOpen(false)} />
      ) : null}
    </ActDialog>
  );
}
