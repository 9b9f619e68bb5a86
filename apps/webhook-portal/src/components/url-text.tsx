import { Fragment } from 'react';
import { visibleText } from './visible-text.ts';

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
