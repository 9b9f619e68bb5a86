import { CopyButton } from './copy-button.tsx';
import './code-file.css';

interface CodeFileProps {
  readonly file: string;
  readonly note: string;
  readonly code: string;
  /** Shown instead of `code` if that contains reported text, which may hide or reorder what is around it. */
  readonly shown?: string;
}

/** A source file to copy: its name, a note, and its text in a box that scrolls horizontally. */
export function CodeFile({ file, note, code, shown = code }: CodeFileProps) {
  return (
    <section className="code code--file" aria-label={file}>
      <header className="code__bar">
        <strong>{file}</strong>
        <span className="code__needs">{note}</span>
        <CopyButton text={code} label={`Copy ${file}`} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard. */}
      <section className="code__scroll" tabIndex={0} aria-label={`${file}, content`}>
        <pre className="code__text">
          <code>{shown}</code>
        </pre>
      </section>
    </section>
  );
}
