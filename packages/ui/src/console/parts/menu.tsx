import type { KeyboardEvent, ReactNode } from 'react';
import { closeFloating, Floating } from './floating.tsx';
import { Icon } from './icon.tsx';

/** A menu following the ARIA menu pattern: arrows, Home, End, and typed letters move; Tab closes it. */
export function Menu(props: {
  face: ReactNode;
  label?: string;
  name: string;
  className: string;
  align?: 'start' | 'end';
  children: ReactNode;
}) {
  const { children, align = 'start', ...button } = props;
  return (
    <Floating {...button} align={align} popup="menu" onOpen={focusFirst} onKeyDown={moveInMenu}>
      {() => children}
    </Floating>
  );
}

export function MenuItem(props: { onChoose: () => void; danger?: boolean; children: ReactNode }) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={props.danger ? 'menu__item menu__item--danger' : 'menu__item'}
      onClick={(event) => {
        closeFloating(event.currentTarget);
        props.onChoose();
      }}
    >
      {props.children}
    </button>
  );
}

/** A menu item that toggles on and off. The menu stays open. */
export function MenuCheck(props: { checked: boolean; onChoose: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      role="menuitemcheckbox"
      aria-checked={props.checked}
      tabIndex={-1}
      className="menu__item"
      onClick={props.onChoose}
    >
      {props.children}
      {props.checked ? <Icon name="check" /> : null}
    </button>
  );
}

/** A menu item that selects one of several options. */
export function MenuChoice(props: { checked: boolean; onChoose: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      role="menuitemradio"
      aria-checked={props.checked}
      tabIndex={-1}
      className="menu__item"
      onClick={(event) => {
        closeFloating(event.currentTarget);
        props.onChoose();
      }}
    >
      {props.children}
      {props.checked ? <Icon name="check" /> : null}
    </button>
  );
}

function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
}

function focusFirst(menu: HTMLElement): void {
  const items = itemsOf(menu);
  const chosen = items.find((item) => item.getAttribute('aria-checked') === 'true');
  (chosen ?? items[0])?.focus();
}

function moveInMenu(event: KeyboardEvent<HTMLElement>): void {
  const items = itemsOf(event.currentTarget);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = targetOf(event.key, items, at);
  if (event.key === 'Tab') closeFloating(event.currentTarget);
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

function targetOf(key: string, items: HTMLElement[], at: number): HTMLElement | undefined {
  if (key === 'ArrowDown') return items[(at + 1) % items.length];
  if (key === 'ArrowUp') return items.at(at <= 0 ? -1 : at - 1);
  if (key === 'Home') return items[0];
  if (key === 'End') return items.at(-1);
  if (key.length !== 1 || key === ' ') return undefined;
  const following = [...items.slice(at + 1), ...items.slice(0, at + 1)];
  const starts = (item: HTMLElement) =>
    (item.textContent ?? '').trim().toLowerCase().startsWith(key.toLowerCase());
  return following.find(starts);
}
