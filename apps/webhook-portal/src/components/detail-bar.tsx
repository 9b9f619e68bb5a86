import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { useEscape } from './keyboard.ts';
import './detail.css';

/** The way back from what stands beside a list: a cross, Escape, and on a phone a link. */
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
