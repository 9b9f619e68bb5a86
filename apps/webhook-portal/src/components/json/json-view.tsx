import { useMemo, useState } from 'react';
import { CopyButton } from '../copy-button.tsx';
import { Icon } from '../icon.tsx';
import { visibleText } from '../visible-text.ts';
import { JsonTree } from './json-tree.tsx';
import { parseJson } from './parse-json.ts';
import './json.css';

/** Text that should be JSON: a folded, colored tree, or the plain text where it is not. */
export function JsonView({ text, label, note }: { text: string; label: string; note?: string }) {
  const [wrap, setWrap] = useState(false);
  const tree = useMemo(() => parseJson(text), [text]);
  return (
    <section className="json" aria-label={label}>
      <header className="json__bar">
        <span className="json__label">{label}</span>
        {note ? <span className="json__note">{note}</span> : null}
        <span className="json__space" />
        <button
          type="button"
          className="icon-button"
          aria-pressed={wrap}
          aria-label="Wrap long lines"
          title="Wrap long lines"
          onClick={() => setWrap(!wrap)}
        >
          <Icon name="wrap" />
        </button>
        <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
      </header>
      <section
        className="json__body"
        data-wrap={wrap}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        aria-label={`${label}, content`}
      >
        {tree ? (
          <JsonTree root={tree} />
        ) : (
          <pre className="json__text">{visibleText(text, 'lines')}</pre>
        )}
      </section>
    </section>
  );
}
