import type { ListFilter } from '@svc/ui/console/filters/list-filters.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';

/** Searches by request id, path or tenant, depending on the format of the typed text. */
export const RequestSearch: ListFilter<'path' | 'external_id'> = ({ change }) => {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const search = (event: SubmitEvent) => {
    event.preventDefault();
    const words = typed.trim();
    if (words === '') return;
    setTyped('');
    if (/^req_[0-9a-z]{10,}$/.test(words)) {
      void navigate({ to: '/requests/$requestId', params: { requestId: words } });
    } else if (words.startsWith('/')) change({ path: words });
    else change({ external_id: words });
  };
  return (
    <form className="search" onSubmit={search}>
      <Icon name="search" />
      <input
        className="svc-field__input svc-field__input--small"
        type="search"
        data-search
        maxLength={255}
        aria-label="Search requests"
        placeholder="Request ID, /path or tenant"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <span className="key" aria-hidden="true">
        /
      </span>
    </form>
  );
};
