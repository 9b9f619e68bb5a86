import { Icon, type IconName } from '@svc/ui/console/parts/icon.tsx';
import { showToast } from '@svc/ui/console/parts/toast.tsx';
import { QuickDialog } from '@svc/ui/console/shell/quick-dialog.tsx';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useDebounced } from '@svc/ui/console/time/use-debounced.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { commandsQuery } from '../api/commands.ts';
import { type FoundItem, recentTenantsQuery, searchQuery, shortestSearch } from '../api/search.ts';
import { titleOf } from '../commands/command-words.ts';
import { openCommand } from '../commands/open-command.ts';
import { useSectionGroups } from './sections.ts';
import './search-dialog.css';

/** Finds a tenant, a payment or anything else that has an id, and goes to pages. */
export function SearchDialog() {
  return <QuickDialog title="Find anything">{(close) => <Search onGo={close} />}</QuickDialog>;
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
  const words = useDebounced(typed.trim(), 120);
  const search = useQuery(searchQuery(words));
  const isSearch = typed.trim().length >= shortestSearch;
  const groups = groupsOf([
    ...usePlaces(typed.trim()),
    ...useFound(isSearch ? (search.data?.items ?? []) : []),
    ...useActions(typed.trim()),
  ]);
  const options = groups.flatMap(([, members]) => members);
  const activeIndex = Math.min(active, options.length - 1);
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
      setActive((activeIndex + step + options.length) % options.length);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      choose(options[activeIndex]);
    }
  };
  const isSettled = words === typed.trim() && !search.isFetching;
  return (
    <>
      <div className="search quick__search">
        <Icon name="search" />
        <input
          className="svc-field__input"
          type="text"
          role="combobox"
          aria-label="Find anything"
          aria-expanded={options.length > 0}
          aria-controls="found"
          aria-autocomplete="list"
          aria-activedescendant={
            options[activeIndex] === undefined ? undefined : `found-${options[activeIndex].id}`
          }
          placeholder="Name, e-mail, phone, last four digits or any id"
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
        {isSearch && !isSettled ? <span className="quick__busy svc-skeleton" /> : null}
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
                aria-selected={options[activeIndex] === option}
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
      <SearchFooter
        isSearch={isSearch}
        isSettled={isSettled}
        error={isSearch ? search.error : null}
        found={search.data?.items.length ?? 0}
        hasMore={isSearch && (search.data?.has_more ?? false)}
      />
    </>
  );
}

function SearchFooter(props: {
  isSearch: boolean;
  isSettled: boolean;
  error: Error | null;
  found: number;
  hasMore: boolean;
}) {
  const { isSearch, isSettled, error, found, hasMore } = props;
  if (error) {
    return (
      <p className="found__words svc-field__error" role="alert">
        {error.message}
      </p>
    );
  }
  return (
    <p className="found__words" role="status">
      {isSearch && isSettled ? resultWords(found, hasMore) : isSearch ? '' : hint}
    </p>
  );
}

const hint =
  'Search by whole words of a name, a complete e-mail address or phone number, the last four digits of an account, a trace number, or any id.';

function resultWords(found: number, hasMore: boolean): string {
  if (found === 0)
    return 'Nothing matches. Names match by whole words; e-mail addresses, phone numbers and ids have to be complete.';
  const many = found === 1 ? '1 result' : `${found} results`;
  return hasMore ? `The best ${many}. Add a word to narrow them down.` : many;
}

/** Returns the matching pages of the console and recently opened tenants. */
function usePlaces(typed: string): Option[] {
  const navigate = useNavigate();
  const sections = useSectionGroups().flatMap((group) => group.sections);
  const recent = useQuery(recentTenantsQuery).data;
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
  if (typed !== '') return pages.slice(0, 3);
  const tenants = recent.map(
    ({ partner, externalId }): Option => ({
      id: `recent-${partner}-${externalId}`,
      group: 'Recent tenants',
      icon: 'tenants',
      title: visibleText(externalId),
      about: visibleText(partner),
      run: () =>
        void navigate({
          to: '/tenants/$partner/$externalId',
          params: { partner, externalId },
        }),
    }),
  );
  return [...tenants, ...pages];
}

/** Returns the commands whose words start with the typed ones. Each opens its form. */
function useActions(typed: string): Option[] {
  const commands = useQuery(commandsQuery).data ?? [];
  const words = typed.toLowerCase().split(/\s+/);
  if (typed.length < shortestSearch) return [];
  return commands
    .filter((command) => {
      const commandWords = `${titleOf(command)} ${command.name.replaceAll('-', ' ')}`
        .toLowerCase()
        .split(' ');
      return words.every((word) => commandWords.some((it) => it.startsWith(word)));
    })
    .slice(0, 5)
    .map((command) => ({
      id: `command-${command.name}`,
      group: 'Actions',
      icon: 'send',
      title: titleOf(command),
      about: command.summary.replaceAll('--', ''),
      run: () => openCommand({ name: command.name, input: {} }),
    }));
}

function useFound(items: readonly FoundItem[]): Option[] {
  const navigate = useNavigate();
  return items.map((item) => {
    const { kind, id, partner, external_id: externalId } = item;
    const { icon, many } = kinds[kind];
    const about = [
      item.name === null || kind === 'tenant' ? null : visibleText(item.name),
      externalId === null ? null : visibleText(externalId),
      partner === null ? null : visibleText(partner),
      item.amount_in_cents === null ? null : formatCents(item.amount_in_cents),
      item.state === null ? null : item.state.replaceAll('_', ' '),
      item.found_by === 'last4' ? 'matches the last four digits' : null,
    ].filter((part) => part !== null);
    return {
      id: `${kind}-${id}`,
      group: many,
      icon,
      title: visibleText(kind === 'tenant' ? (item.name ?? externalId ?? id) : id),
      about: about.join(' · '),
      run() {
        if (partner === null || externalId === null) return void copyId(id);
        void navigate({
          to: '/tenants/$partner/$externalId',
          params: { partner, externalId },
          search: kind === 'tenant' ? {} : { about: id },
        });
      },
    };
  });
}

/** Copies the id of a result that has no page. */
async function copyId(id: string): Promise<void> {
  await navigator.clipboard.writeText(id);
  showToast(`Copied ${id}.`);
}

const kinds: Record<FoundItem['kind'], { icon: IconName; many: string }> = {
  tenant: { icon: 'tenants', many: 'Tenants' },
  plan: { icon: 'catalog', many: 'Plans' },
  installment: { icon: 'clock', many: 'Installments' },
  payment: { icon: 'payouts', many: 'Payments' },
  payment_method: { icon: 'key', many: 'Accounts and cards' },
  application: { icon: 'doctor', many: 'Applications' },
  settlement: { icon: 'settlements', many: 'Settlements' },
  payout: { icon: 'payouts', many: 'Payouts' },
  refund: { icon: 'back', many: 'Refunds' },
  transfer: { icon: 'replay', many: 'Ledger transfers' },
  mail: { icon: 'messages', many: 'Mails' },
  text: { icon: 'messages', many: 'Texts' },
  message: { icon: 'send', many: 'Webhook messages' },
  request: { icon: 'requests', many: 'API requests' },
  partner: { icon: 'origins', many: 'Partners' },
  statement_line: { icon: 'activity', many: 'Bank lines' },
};

/** Groups the options, in the order in which the groups first appear. */
function groupsOf(options: readonly Option[]): [string, Option[]][] {
  const groups = new Map<string, Option[]>();
  for (const option of options) {
    groups.set(option.group, [...(groups.get(option.group) ?? []), option]);
  }
  return [...groups];
}
