import { Fragment } from 'react';
import { visibleText } from './visible-text.ts';

/** A description of the catalog, where `backquotes` mark code. */
export function Described({ text }: { text: string }) {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? <code key={`${index} ${part}`}>{part}</code> : part));
}

/** A URL that breaks after its own marks, as a person would break it. */
export function UrlText({ url }: { url: string }) {
  const parts = visibleText(url).split(/(?<=[^/:]\/|[?&=])/);
  return (
    <span className="url-text">
      {parts.map((part, index) => (
        // A part may come twice, and none is ever moved: the place is the key.
        <Fragment key={`${index} ${part}`}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </span>
  );
}
