import { Dialog } from '@base-ui/react/dialog';
import { type ReactNode, useEffect, useState } from 'react';
import { isDialogOpen } from '../parts/keyboard.ts';
import './quick-dialog.css';

/** A dialog that opens on ⌘K or Ctrl+K. Its content is reset each time. */
export function QuickDialog(props: { title: string; children: (close: () => void) => ReactNode }) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      if (event.altKey || event.shiftKey) return;
      // Another dialog may hold a half-finished form.
      if (isDialogOpen()) return;
      event.preventDefault();
      setOpen(true);
    };
    const show = () => setOpen(true);
    addEventListener('keydown', onKey);
    addEventListener(openEvent, show);
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener(openEvent, show);
    };
  }, []);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="svc-dialog dialog quick">
          <Dialog.Title className="svc-visually-hidden">{props.title}</Dialog.Title>
          {props.children(() => setOpen(false))}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Opens the quick dialog from a button. */
export function openQuickDialog(): void {
  dispatchEvent(new Event(openEvent));
}

const openEvent = 'console:quick-dialog';
