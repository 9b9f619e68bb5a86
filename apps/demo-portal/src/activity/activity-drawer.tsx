import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Activity } from '../../backend/answers.ts';
import { CloseIcon } from '../parts/icons.tsx';
import { ActivityItem } from './activity-item.tsx';

interface DrawerProps {
  items: readonly Activity[];
  live: boolean;
  /** `aside` is next to the page; `sheet` covers it on narrow screens. */
  as: 'aside' | 'sheet';
  open: boolean;
  onClose(): void;
}

/** The "What just happened" drawer: this tenant's API calls, SDK events, and webhooks, live and in order. */
export function ActivityDrawer({ as, open, onClose, ...contents }: DrawerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // A layout effect, so that the dialog is open before the contents scroll to the end.
  useLayoutEffect(() => {
    const { current } = dialog;
    if (open && current && !current.open) current.showModal();
    if (!open) current?.close();
  }, [open, as]);

  const body = <Contents {...contents} open={open} onClose={onClose} />;
  if (as === 'sheet') {
    return (
      <dialog
        ref={dialog}
        className="drawer drawer--sheet"
        aria-labelledby="happened"
        onClose={onClose}
      >
        {body}
      </dialog>
    );
  }
  return open ? (
    <aside className="drawer" aria-labelledby="happened">
      {body}
    </aside>
  ) : null;
}

type ContentsProps = Omit<DrawerProps, 'as'>;

function Contents({ items, live, open, onClose }: ContentsProps) {
  const list = useRef<HTMLDivElement>(null);
  const newest = items.at(-1)?.seq;
  useEffect(() => {
    if (newest !== undefined && open) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [newest, open]);
  return (
    <>
      <div className="drawer__head">
        <h2 id="happened">What just happened</h2>
        <span className={`svc-badge ${live ? 'svc-tone-good' : 'svc-tone-warn'}`}>
          {live ? 'Live' : 'Reconnecting'}
        </span>
        <button
          type="button"
          className="drawer__close"
          aria-label="Close what just happened"
          onClick={onClose}
        >
          <CloseIcon />
        </button>
      </div>
      {/* Focusable, so that it can be scrolled with the keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls */}
      <div className="drawer__list" ref={list} tabIndex={0} role="log" aria-labelledby="happened">
        {items.length === 0 ? (
          <p className="drawer__empty">
            Nothing yet. API calls, widget events, and webhooks appear here as they happen.
          </p>
        ) : (
          <ol className="happenings">
            {items.map((activity) => (
              <ActivityItem key={activity.seq} activity={activity} />
            ))}
          </ol>
        )}
      </div>
    </>
  );
}
