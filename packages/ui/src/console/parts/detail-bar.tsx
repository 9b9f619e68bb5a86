import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { useEscape } from './keyboard.ts';
import './detail.css';

/** The ways to close the detail pane next to a list: a close button, Escape, and a back link on phones. */
export function DetailBar(props: { back: ReactNode; close: string; onClose: () => void }) {
  useEscape(props.onClose);
  return (
    <div className="detail__bar">
      {props.back}
      <button
        type="button"
        className="icon-button detail__close"
        aria-label={props.close}
        title="Close (Esc)"
        onClick={props.onClose}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
