import { CopyButton } from './copy-button.tsx';
import './code-file.css';

/** A source file to copy: its name, a note, and its text in a box that scrolls horizontally. */
export function CodeFile({ file, note, code }: { file: string; note: string; code: string }) {
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
          <code>{code}</code>
        </pre>
      </section>
    </section>
  );
}
