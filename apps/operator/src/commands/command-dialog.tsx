import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { commandsQuery } from '../api/commands.ts';
import { CommandForm } from './command-form.tsx';
import { type AskedCommand, onOpenCommand } from './open-command.ts';
import './command-dialog.css';

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
    <Dialog.Root open={open && command !== undefined} onOpenChange={setOpen}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="svc-dialog dialog command">
          {command && asked ? (
            <CommandForm command={command} asked={asked} onClose={() => setOpen(false)} />
          ) : null}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
