import type { ReactNode } from 'react';
import { useEscape } from '../app/shortcuts-dialog.tsx';
import { Icon } from './icon.tsx';

/** The way back from what stands beside a list: a cross, Escape, and on a phone a link. */
export function DetailBar(props: { back: ReactNode; close: string; onClose: () => void }) {
  useEscape(props.onClose);
  return (
    <div className="message__bar">
      {props.back}
      <button
        type="button"
        className="icon-button message__close"
        aria-label={props.close}
        title="Close (Esc)"
        onClick={props.onClose}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
