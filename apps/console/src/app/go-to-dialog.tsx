import { Icon, type IconName } from '@svc/ui/console/parts/icon.tsx';
import { QuickDialog } from '@svc/ui/console/shell/quick-dialog.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { Link } from '@tanstack/react-router';
import { type SubmitEvent, useRef, useState } from 'react';
import { useSession } from '../session/use-session.ts';
import { useSectionGroups } from './sections.ts';

/** Goes to a section, a message, a request or a tenant. */
export function GoToDialog() {
  return <QuickDialog title="Go to">{(close) => <GoTo onGo={close} />}</QuickDialog>;
}

function GoTo({ onGo }: { onGo: () => void }) {
  const [typed, setTyped] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const places = usePlaces(typed.trim());
  return (
    <>
      <form
        className="search quick__search"
        onSubmit={(event: SubmitEvent) => {
          event.preventDefault();
          list.current?.querySelector('a')?.click();
        }}
      >
        <Icon name="search" />
        <input
          className="svc-field__input"
          type="search"
          aria-label="Go to a section, message, request or tenant"
          placeholder="Section, message, request or tenant"
          autoComplete="off"
          spellCheck={false}
          maxLength={255}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </form>
      <ul className="quick__places" ref={list}>
        {places.map(({ label, icon, link }) => (
          <li key={label}>
            <Link {...link} className="quick__place" onClick={onGo}>
              <Icon name={icon} /> {visibleText(label)}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

interface Place {
  readonly label: string;
  readonly icon: IconName;
  readonly link: { readonly to: string; readonly params?: Record<string, string> };
}

/** Returns the places that the typed text may refer to, the best match first. */
function usePlaces(typed: string): Place[] {
  const isAdmin = useSession().scope === 'admin';
  const sections = useSectionGroups().flatMap((group) => group.sections);
  const named: Place[] = [{ to: '/', label: 'Home', icon: 'home' as const }, ...sections]
    .filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase()))
    .map(({ to, label, icon }) => ({ label, icon, link: { to } }));
  if (typed === '') return named;
  if (/^evt_[0-9a-z]{10,}$/.test(typed)) {
    const link: Place['link'] = { to: '/messages/$messageId', params: { messageId: typed } };
    return [{ label: `Message ${typed}`, icon: 'messages', link }];
  }
  if (!isAdmin) return named;
  if (/^req_[0-9a-z]{10,}$/.test(typed)) {
    const link: Place['link'] = { to: '/requests/$requestId', params: { requestId: typed } };
    return [{ label: `Request ${typed}`, icon: 'requests', link }];
  }
  const link: Place['link'] = { to: '/tenants/$externalId', params: { externalId: typed } };
  return [...named, { label: `Tenant ${typed}`, icon: 'tenants', link }];
}
