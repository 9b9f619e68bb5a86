import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { CloseIcon } from '../icons.tsx';
import { useWords } from '../words/use-words.ts';

export interface PanelProps {
  /** An `aside` is next to the frame. Where there is no space for it, a `sheet` covers the frame. */
  as: 'aside' | 'sheet';
  isOpen: boolean;
  onClose(): void;
}

interface ContentsProps extends PanelProps {
  id: string;
  title: string;
  /** Shown next to the title. */
  mark?: ReactNode;
  children: ReactNode;
}

/** A panel of the stage, at its side or as a modal dialog. */
export function Panel({ as, isOpen, onClose, id, title, mark, children }: ContentsProps) {
  const { translate } = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  // A layout effect, so that the dialog is open before the contents scroll to the end.
  useLayoutEffect(() => {
    const { current } = dialog;
    if (isOpen && current && !current.open) {
      current.showModal();
      current.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' });
    }
    if (!isOpen) current?.close();
  }, [isOpen, as]);
  const head = (
    <div className="panel__head">
      <h2 id={id}>{title}</h2>
      {mark}
      {as === 'sheet' ? (
        <button
          type="button"
          className="panel__close"
          aria-label={translate('Close')}
          onClick={onClose}
        >
          <CloseIcon />
        </button>
      ) : null}
    </div>
  );
  if (as === 'aside') {
    return (
      <aside className={`panel panel--${id}`} aria-labelledby={id}>
        {head}
        {children}
      </aside>
    );
  }
  return (
    <dialog
      ref={dialog}
      className={`panel panel--sheet panel--${id}`}
      aria-labelledby={id}
      onClose={onClose}
      // A click outside of the sheet closes it.
      closedby="any"
    >
      {head}
      {children}
    </dialog>
  );
}
