import { Dialog } from '@base-ui/react/dialog';
import { Link } from '@tanstack/react-router';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { Icon, type IconName } from '../components/icon.tsx';
import { isDialogOpen } from '../components/keyboard.ts';
import { visibleText } from '../components/visible-text.ts';
import { useSession } from '../session/session-gate.tsx';
import { useSectionGroups } from './navigation.tsx';
import './go-to.css';

/** Opens on ⌘K or Ctrl+K: goes to a section, a message, a request or a tenant. */
export function GoToDialog() {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      if (event.altKey || event.shiftKey) return;
      // Another dialog may hold a half-finished form.
      if (isDialogOpen()) return;
      event.preventDefault();
      setTyped('');
      setOpen(true);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="svc-dialog dialog go-to">
          <Dialog.Title className="svc-visually-hidden">Go to</Dialog.Title>
          <GoTo typed={typed} onType={setTyped} onGo={() => setOpen(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface GoToProps {
  typed: string;
  onType: (typed: string) => void;
  onGo: () => void;
}

function GoTo({ typed, onType, onGo }: GoToProps) {
  const list = useRef<HTMLUListElement>(null);
  const places = usePlaces(typed.trim());
  return (
    <>
      <form
        className="search go-to__search"
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
          onChange={({ target }) => onType(target.value)}
        />
      </form>
      <ul className="go-to__places" ref={list}>
        {places.map(({ label, icon, link }) => (
          <li key={label}>
            <Link {...link} className="go-to__place" onClick={onGo}>
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

/** What the typed words can mean, the best meaning first. */
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
