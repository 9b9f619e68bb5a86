import type { Bank } from '@svc/contract';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useFlow } from '../../../flow/flow.ts';
import { loadBanks } from '../../../flow/submit.ts';
import { openBank } from '../../../flow/visit.ts';
import { Icon } from '../../../parts/icons.tsx';
import { VisitLink } from '../../../parts/visit-link.tsx';
import { useWords } from '../../../words/use-words.ts';
import { usePollSetup } from './payment-page.tsx';

/** Lets the tenant pick a bank. The bank's page returns an account, so that nothing is typed. */
export function BankPicker({ onType }: { onType: () => void }) {
  const flow = useFlow();
  const { store } = flow;
  const { words } = useWords();
  const copy = words.account.banks;
  const banks = store.banks.value;
  const setup = store.setup.value;
  const { bank } = store.drafts.value.account;
  usePollSetup();
  useEffect(() => {
    if (banks === null) void loadBanks(flow);
  }, [flow, banks]);

  // The list's height is kept while the notice is shown, so that nothing below moves.
  const box = useRef<HTMLDivElement>(null);
  const [listHeight, setListHeight] = useState(0);
  function pick(it: Bank): void {
    setListHeight(box.current?.offsetHeight ?? 0);
    void openBank(flow, it);
  }

  return (
    <div class="bank-picker" ref={box} style={{ minBlockSize: `${listHeight}px` }}>
      {setup?.state === 'open' && setup.url !== null ? (
        <div class="svc-notice" role="status">
          <p class="svc-notice__title">{copy.signIn(bank)}</p>
          <p>{copy.signInText}</p>
          <VisitLink href={setup.url} wasTried>
            {copy.open(bank)}
          </VisitLink>
          <button
            type="button"
            class="svc-button svc-button--quiet svc-button--block"
            onClick={() => {
              store.setup.value = null;
            }}
          >
            {copy.another}
          </button>
        </div>
      ) : (
        <>
          {setup?.state === 'failed' && (
            <div class="svc-notice svc-tone-warn" role="status">
              <p class="svc-notice__title">{words.account.page.failed}</p>
            </div>
          )}
          <BankList banks={banks} onPick={pick} />
          <p class="quiet">{copy.note}</p>
          <button type="button" class="svc-button svc-button--quiet" onClick={onType}>
            {copy.typed}
          </button>
        </>
      )}
    </div>
  );
}

/** As many rows as the longest list, so that nothing below moves when the banks arrive. */
const skeletonRows = [1, 2, 3, 4, 5, 6, 7];

/** The banks whose names contain what is typed. Null while they are loading. */
function BankList(props: { banks: readonly Bank[] | null; onPick: (bank: Bank) => void }) {
  const { banks, onPick } = props;
  const { words } = useWords();
  const copy = words.account.banks;
  const [typed, setTyped] = useState('');
  const found = (banks ?? []).filter(({ name }) =>
    searchKey(name).includes(searchKey(typed.trim())),
  );
  return (
    <div class="svc-field">
      <label class="svc-field__label" for="bank_search">
        {copy.search}
      </label>
      <span class="field-box">
        <span class="field-box__prefix" aria-hidden="true">
          <Icon name="search" />
        </span>
        <input
          class="svc-field__input"
          id="bank_search"
          type="search"
          value={typed}
          autoComplete="off"
          inputMode="search"
          enterKeyHint="search"
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </span>
      <ul class="banks" aria-label={copy.list} aria-busy={banks === null}>
        {banks === null
          ? skeletonRows.map((row) => <li key={row} class="svc-skeleton bank" aria-hidden="true" />)
          : found.map((bank) => (
              <li key={bank.id}>
                <button type="button" class="bank" onClick={() => onPick(bank)}>
                  <span
                    class="bank__logo"
                    aria-hidden="true"
                    style={{ '--bank-hue': hueOf(bank.id) }}
                  >
                    {initialsOf(bank.name)}
                  </span>
                  {bank.name}
                  <Icon name="next" />
                </button>
              </li>
            ))}
      </ul>
      {banks !== null && found.length === 0 && <p>{copy.none(typed.trim())}</p>}
      <p class="svc-visually-hidden" role="status">
        {typed === '' ? '' : copy.count(found.length)}
      </p>
    </div>
  );
}

/** Returns the text in lower case without accents, so that a search finds both spellings. */
function searchKey(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

function initialsOf(name: string): string {
  return name
    .split(' ')
    .slice(0, 2)
    .map((word) => word.charAt(0))
    .join('');
}

/** Returns the hue of a bank's color, in degrees. It stays the same. */
function hueOf(id: string): number {
  return Array.from(id).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 0);
}
