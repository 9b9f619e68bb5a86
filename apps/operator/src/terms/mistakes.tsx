import type { ApiError } from '@svc/ui/console/api/client.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import type { RefObject } from 'react';
import { findLine } from './find-line.ts';

/** Lists what is wrong in the document, each with its place. A click goes there. */
export function Mistakes(props: {
  mistakes: ApiError['fields'];
  json: string;
  editor: RefObject<HTMLTextAreaElement | null>;
}) {
  const { mistakes, json, editor } = props;
  return (
    <div className="svc-notice svc-tone-bad" role="alert">
      <p className="svc-notice__title">
        {mistakes.length === 1 ? 'One mistake' : `${mistakes.length} mistakes`}. Nothing was
        compared.
      </p>
      <ul className="mistakes">
        {mistakes.map(({ param, message }) => {
          const line = findLine(json, param);
          return (
            <li key={`${param} ${message}`}>
              {line === null ? null : (
                <button
                  type="button"
                  className="mistakes__line"
                  onClick={() => selectLine(editor.current, line)}
                >
                  Line {line}
                </button>
              )}{' '}
              {param.startsWith('input') ? null : <code>{visibleText(param)}</code>}{' '}
              {visibleText(message)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function selectLine(editor: HTMLTextAreaElement | null, line: number): void {
  if (!editor) return;
  const lines = editor.value.split('\n');
  const start = lines.slice(0, line - 1).reduce((sum, it) => sum + it.length + 1, 0);
  editor.focus();
  editor.setSelectionRange(start, start + (lines[line - 1] ?? '').length);
  // Browsers scroll to the field, and not to a selection inside of it.
  editor.scrollTop = (editor.scrollHeight / lines.length) * Math.max(0, line - 5);
}
