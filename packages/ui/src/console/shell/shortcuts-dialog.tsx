import { Dialog } from '@base-ui/react/dialog';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { focusSearch, listenToKeys, moveAlongRows, quickKeys } from '../parts/keyboard.ts';
import { openQuickDialog } from './quick-dialog.tsx';
import type { Section } from './sections.ts';

/** Binds the console's keyboard shortcuts and lists them when `?` is pressed. */
export function ShortcutsDialog(props: {
  sections: readonly Section[];
  /** Describes the dialog of ⌘K and Ctrl+K, such as "Go to a section or tenant". */
  quickDialog: string;
}) {
  const [open, setOpen] = useState(false);
  const navigate = useNavigate();
  const sections = props.sections.filter(({ key }) => key !== undefined);
  // As text, so that the effect does not run for each render, which computes new sections.
  const shortcuts = sections.map(({ key, to }) => `${key} ${to}`).join('\n');
  useEffect(() => {
    const show = () => setOpen(true);
    addEventListener(openEvent, show);
    const stop = listenToKeys({
      '/': () => focusSearch() || openQuickDialog(),
      j: () => moveAlongRows(1),
      k: () => moveAlongRows(-1),
      '?': show,
      'g h': () => void navigate({ to: '/' }),
      ...Object.fromEntries(
        shortcuts.split('\n').map((shortcut) => {
          const [key, to = '/'] = shortcut.split(' ');
          return [`g ${key}`, () => void navigate({ to })];
        }),
      ),
    });
    return () => {
      removeEventListener(openEvent, show);
      stop();
    };
  }, [navigate, shortcuts]);
  const list = [
    ...inLists,
    [quickKeys, props.quickDialog] as const,
    ['g h', 'Go to Home'] as const,
    ...sections.map(({ key, label }): [string, string] => [`g ${key}`, `Go to ${label}`]),
    ['?', 'Show this list'] as const,
  ];
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="svc-dialog dialog">
          <Dialog.Title className="svc-dialog__title">Keyboard shortcuts</Dialog.Title>
          <dl className="shortcuts">
            {list.map(([keys, does]) => (
              <div key={keys}>
                <dt>
                  {keys.split(' ').map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
          <div className="svc-dialog__actions">
            <Dialog.Close className="svc-button svc-button--secondary svc-button--small">
              Close
            </Dialog.Close>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

export function openShortcuts(): void {
  dispatchEvent(new Event(openEvent));
}

const openEvent = 'console:shortcuts';
const inLists: [string, string][] = [
  ['j k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['Esc', 'Back to the list'],
  ['/', 'Search the page, or everything'],
];
