import { Icon, type IconName } from '@svc/ui/console/parts/icon.tsx';
import { QuickDialog } from '@svc/ui/console/shell/quick-dialog.tsx';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useSectionGroups } from './sections.ts';
import './search-dialog.css';

/** Goes to pages. */
export function SearchDialog() {
  return <QuickDialog title="Go to">{(close) => <Search onGo={close} />}</QuickDialog>;
}

interface Option {
  readonly id: string;
  readonly group: string;
  readonly icon: IconName;
  readonly title: string;
  readonly about: string;
  readonly run: () => void;
}

function Search({ onGo }: { onGo: () => void }) {
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const groups = groupsOf(usePlaces(typed.trim()));
  const options = groups.flatMap(([, members]) => members);
  const at = Math.min(active, options.length - 1);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  });
  const choose = (option: Option | undefined) => {
    if (option === undefined) return;
    onGo();
    option.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && options.length > 0) {
      event.preventDefault();
      setActive((at + step + options.length) % options.length);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      choose(options[at]);
    }
  };
  return (
    <>
      <div className="search quick__search">
        <Icon name="search" />
        <input
          className="svc-field__input"
          type="text"
          role="combobox"
          aria-label="Go to a page"
          aria-expanded={options.length > 0}
          aria-controls="found"
          aria-autocomplete="list"
          aria-activedescendant={options[at] === undefined ? undefined : `found-${options[at].id}`}
          placeholder="Page"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          maxLength={200}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div className="found" id="found" role="listbox" aria-label="Results" ref={list}>
        {groups.map(([group, members]) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
          <div key={group} role="group" aria-label={group}>
            <span className="found__group" aria-hidden="true">
              {group}
            </span>
            {members.map((option) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys, and focus stays in it
              // biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant names the option
              <div
                key={option.id}
                id={`found-${option.id}`}
                role="option"
                aria-selected={options[at] === option}
                className="found__item"
                onClick={() => choose(option)}
                onPointerMove={() => setActive(options.indexOf(option))}
              >
                <Icon name={option.icon} />
                <span className="found__title">{option.title}</span>
                <span className="found__about">{option.about}</span>
              </div>
            ))}
          </div>
        ))}
      </div>
    </>
  );
}

/** Pages of the console. */
function usePlaces(typed: string): Option[] {
  const navigate = useNavigate();
  const sections = useSectionGroups().flatMap((group) => group.sections);
  const pages = [{ to: '/', label: 'Home', icon: 'home' as const, key: 'h' }, ...sections]
    .filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase()))
    .map(
      ({ to, label, icon, key }): Option => ({
        id: `page-${key}`,
        group: 'Go to',
        icon,
        title: label,
        about: `g ${key}`,
        run: () => void navigate({ to }),
      }),
    );
  return pages;
}

/** The options by group, in the order in which the groups appear. */
function groupsOf(options: readonly Option[]): [string, Option[]][] {
  const groups = new Map<string, Option[]>();
  for (const option of options) {
    groups.set(option.group, [...(groups.get(option.group) ?? []), option]);
  }
  return [...groups];
}
