import { type SubmitEvent, useState } from 'react';
import { Icon } from '../components/icon.tsx';

/** Free text; a whole message id opens that message. Emptied, it filters no more. */
export function MessageSearch(props: {
  q: string | undefined;
  onMessage: (id: string) => void;
  onText: (q: string | undefined) => void;
}) {
  const { q = '', onMessage, onText } = props;
  const [text, setText] = useState(q);
  const search = (event: SubmitEvent) => {
    event.preventDefault();
    const words = text.trim();
    if (/^evt_[0-9a-z]{10,}$/.test(words)) return onMessage(words);
    if (words !== q) onText(words === '' ? undefined : words);
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
        placeholder="Search ids and bodies"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          if (target.value === '' && q !== '') onText(undefined);
        }}
      />
      <span className="key" aria-hidden="true">
        /
      </span>
    </form>
  );
}
