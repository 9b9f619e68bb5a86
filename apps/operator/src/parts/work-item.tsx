import { type ReactNode, useState } from 'react';
import './work-item.css';

/** One item of work: a checkbox, what is wrong, and the buttons that resolve it. */
export function WorkItem(props: {
  id: string;
  /** The checkbox's accessible name. */
  label: string;
  isChosen: boolean;
  /** Null for people who may only read. */
  onToggle: (() => void) | null;
  actions: ReactNode;
  children: ReactNode;
}) {
  const { id, label, isChosen, onToggle, actions, children } = props;
  return (
    <li className="work-item" data-row tabIndex={-1} data-item={id} data-chosen={isChosen}>
      {onToggle === null ? (
        <span />
      ) : (
        <label className="work-item__choose">
          <input type="checkbox" aria-label={label} checked={isChosen} onChange={onToggle} />
        </label>
      )}
      <div className="work-item__words">{children}</div>
      <div className="work-item__actions">{actions}</div>
    </li>
  );
}

/** The ids of the items that are selected. */
export function useSelection() {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) =>
    setChosen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  return { chosen, toggle, clear: () => setChosen(new Set()) };
}
