import { Fragment } from 'react';
import { visibleText } from '../text/visible-text.ts';

/** Renders a catalog description. Text in `backquotes` becomes code. */
export function Described({ text }: { text: string }) {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? <code key={`${index} ${part}`}>{part}</code> : part));
}

/** Renders a URL that can wrap after slashes and query separators. */
export function UrlText({ url }: { url: string }) {
  const parts = visibleText(url).split(/(?<=[^/:]\/|[?&=])/);
  return (
    <span className="url-text">
      {parts.map((part, index) => (
        // Parts may repeat but never move, so the index is part of the key.
        <Fragment key={`${index} ${part}`}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </span>
  );
}
