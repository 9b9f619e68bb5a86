import type { ListFilter } from '@svc/ui/console/filters/list-filters.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';

/** Free-text search. A complete message ID opens that message. Clearing the field removes the filter. */
export const MessageSearch: ListFilter<'q'> = ({ filters: { q = '' }, change }) => {
  const navigate = useNavigate();
  const [text, setText] = useState(q);
  const [shownFor, setShownFor] = useState(q);
  // The filter can change outside of the field. Remounting the field would drop its focus.
  if (shownFor !== q) {
    setShownFor(q);
    if (text.trim() !== q) setText(q);
  }
  const search = (event: SubmitEvent) => {
    event.preventDefault();
    const words = text.trim();
    if (/^evt_[0-9a-z]{10,}$/.test(words)) {
      void navigate({ to: '/messages/$messageId', params: { messageId: words } });
    } else if (words !== q) change({ q: words === '' ? undefined : words });
  };
  return (
    <form className="search" onSubmit={search}>
      <Icon name="search" />
      <input
        className="svc-field__input svc-field__input--small"
        type="search"
        data-search
        maxLength={200}
        aria-label="Search messages"
        placeholder="Search IDs and bodies"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          if (target.value === '' && q !== '') change({ q: undefined });
        }}
      />
      <span className="key" aria-hidden="true">
        /
      </span>
    </form>
  );
};
