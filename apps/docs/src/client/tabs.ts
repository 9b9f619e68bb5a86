import { recall, remember } from './storage.ts';

/**
 * Turns each group of panels into tabs. Without this script all panels are shown, each with its title.
 * A choice applies to every group with a tab of that name, on all pages. `?lang=Python` also chooses a tab.
 */
export function startTabs(): void {
  const groups = [...document.querySelectorAll<HTMLElement>('.tabs')].map(buildGroup);
  const requestedTab = new URLSearchParams(location.search).get('lang');
  const preferred = [requestedTab, ...(recall('tabs') ?? '').split('|')].filter((name) => name);
  for (const group of groups) {
    const name = preferred.find((wanted) => group.names.some((it) => isSameName(it, wanted)));
    group.select(name ?? group.names[0] ?? '');
  }
  document.addEventListener('svc-tab', ({ detail: name }) => {
    for (const group of groups) group.select(name);
    const rest = (recall('tabs') ?? '').split('|').filter((it) => it !== '' && it !== name);
    remember('tabs', [name, ...rest].slice(0, 8).join('|'));
  });
}

declare global {
  interface DocumentEventMap {
    'svc-tab': CustomEvent<string>;
  }
}

interface Group {
  readonly names: readonly string[];
  /** Shows the panel of this name, if the group has one. */
  select(name: string): void;
}

let count = 0;

function buildGroup(root: HTMLElement): Group {
  const panels = [...root.querySelectorAll<HTMLElement>(':scope > .tab')];
  const names = panels.map((panel) => panel.dataset.tab ?? '');
  const list = document.createElement('div');
  list.className = 'tab-list';
  list.role = 'tablist';
  const buttons = panels.map((panel, index) => {
    count += 1;
    panel.id ||= `tab-panel-${count}`;
    panel.role = 'tabpanel';
    panel.querySelector('.tab-title')?.remove();
    const button = document.createElement('button');
    button.type = 'button';
    button.role = 'tab';
    button.id = `tab-${count}`;
    button.textContent = names[index] ?? '';
    button.setAttribute('aria-controls', panel.id);
    panel.setAttribute('aria-labelledby', button.id);
    button.addEventListener('click', () => choose(index));
    list.append(button);
    return button;
  });
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const from = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const to = (from + step + buttons.length) % buttons.length;
    buttons[to]?.focus();
    choose(to);
  });
  root.prepend(list);
  root.classList.add('tabs-ready');

  /** Selects the tab in every group, and keeps the clicked group where it is on the screen. */
  function choose(index: number) {
    const before = root.getBoundingClientRect().top;
    document.dispatchEvent(new CustomEvent('svc-tab', { detail: names[index] ?? '' }));
    scrollBy({ top: root.getBoundingClientRect().top - before, behavior: 'instant' });
  }

  return {
    names,
    select(name) {
      const index = names.findIndex((it) => isSameName(it, name));
      if (index === -1) return;
      for (const [position, panel] of panels.entries()) {
        const isSelected = position === index;
        panel.hidden = !isSelected;
        buttons[position]?.setAttribute('aria-selected', String(isSelected));
        if (buttons[position]) buttons[position].tabIndex = isSelected ? 0 : -1;
      }
    },
  };
}

function isSameName(one: string, other: string | null): boolean {
  return one.toLowerCase() === other?.toLowerCase();
}
