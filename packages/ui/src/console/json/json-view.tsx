import { useMemo, useState } from 'react';
import { CopyButton } from '../parts/copy-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { visibleLines, visibleText } from '../text/visible-text.ts';
import { type JsonBranch, type JsonNode, parseJson } from './parse-json.ts';
import './json.css';

/** Shows text that should be JSON as a foldable tree, or as plain text if it is not JSON. */
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard.
        tabIndex={0}
        aria-label={`${label}, content`}
      >
        {tree ? <JsonTree root={tree} /> : <pre className="json__text">{visibleLines(text)}</pre>}
      </section>
    </section>
  );
}

function JsonTree({ root }: { root: JsonNode }) {
  return (
    <div className="json-tree">
      <Node name={null} node={root} depth={0} last />
    </div>
  );
}

interface Place {
  name: string | null;
  depth: number;
  last: boolean;
}

function Node({ node, ...place }: Place & { node: JsonNode }) {
  if ('children' in node && node.children.length > 0) return <Branch node={node} {...place} />;
  const className = `json-${'children' in node ? 'mark' : node.kind}`;
  return (
    <Line depth={place.depth}>
      <Name name={place.name} />
      <span className={className}>{visibleText(node.source)}</span>
      <Comma last={place.last} />
    </Line>
  );
}

/** Folded branches do not render their children, so large bodies stay fast. */
function Branch({ node, name, depth, last }: Place & { node: JsonBranch }) {
  const [open, setOpen] = useState(() => opensAtFirst(node, depth));
  const [start, end] = node.kind === 'object' ? ['{', '}'] : ['[', ']'];
  const count = `${node.children.length} ${node.kind === 'object' ? 'fields' : 'items'}`;
  return (
    <>
      <Line depth={depth}>
        <button
          type="button"
          className="json-fold"
          aria-expanded={open}
          aria-label={`${name ?? 'Root'}, ${count}`}
          onClick={() => setOpen(!open)}
        />
        <Name name={name} />
        {open ? (
          <span className="json-mark">{start}</span>
        ) : (
          <>
            <span className="json-preview">{preview(node)}</span>
            <Comma last={last} />
          </>
        )}
      </Line>
      {open ? (
        <>
          {node.children.map((child, index) => (
            <Node
              key={index}
              name={child.key}
              node={child.node}
              depth={depth + 1}
              last={index === node.children.length - 1}
            />
          ))}
          <Line depth={depth}>
            <span className="json-mark">{end}</span>
            <Comma last={last} />
          </Line>
        </>
      ) : null}
    </>
  );
}

function Line({ depth, children }: { depth: number; children: React.ReactNode }) {
  return (
    <div className="json-line" style={{ paddingInlineStart: `${Math.min(depth, 20) * 16 + 20}px` }}>
      {children}
    </div>
  );
}

function Name({ name }: { name: string | null }) {
  if (name === null) return null;
  return (
    <>
      <span className="json-name">{visibleText(JSON.stringify(name))}</span>
      <span className="json-mark">: </span>
    </>
  );
}

function Comma({ last }: { last: boolean }) {
  return last ? null : <span className="json-mark">,</span>;
}

/** Returns whether a branch starts open: the first two levels, and short branches below them. */
function opensAtFirst(node: JsonBranch, depth: number): boolean {
  if (depth < 2) return node.children.length <= 100;
  return depth < 6 && node.source.length < 80;
}

function preview(node: JsonBranch): string {
  const text = visibleText(node.source.slice(0, 200).replace(/\s+/g, ' '));
  return text.length <= 48 ? text : `${text.slice(0, 46)} … ${node.kind === 'object' ? '}' : ']'}`;
}
