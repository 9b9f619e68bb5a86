import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import type { TermsChange } from '../api/terms.ts';
import { differencesOf, type TermsDifference } from './describe-terms.ts';
import { diffLines } from './diff-lines.ts';

/** The fields that differ, with both values; long texts line by line. */
export function Differences({ changes }: { changes: readonly TermsChange[] }) {
  const rows = differencesOf(changes);
  if (rows.length === 0) return <p className="terms-part__about">Nothing differs.</p>;
  const values = rows.filter(({ isText }) => !isText);
  return (
    <div className="differences">
      {values.length === 0 ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard.
        <section className="svc-table-wrap" tabIndex={0} aria-label="Changed rules">
          <table className="svc-table differences__table">
            <thead>
              <tr>
                <th scope="col">Rule</th>
                <th scope="col">Now</th>
                <th scope="col">New</th>
              </tr>
            </thead>
            <tbody>
              {values.map(({ field, label, before, after }) => (
                <tr key={field}>
                  <th scope="row">{label}</th>
                  <td>
                    <del>{visibleText(before ?? '')}</del>
                  </td>
                  <td>
                    <ins>{visibleText(after ?? '')}</ins>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {rows
        .filter(({ isText }) => isText)
        .map((row) => (
          <TextDifference key={row.field} row={row} />
        ))}
    </div>
  );
}

function TextDifference({ row: { label, before, after } }: { row: TermsDifference }) {
  const lines = diffLines(before ?? '', after ?? '');
  const count = (kind: string) => lines.filter((line) => line.kind === kind).length;
  const how =
    before === null
      ? 'in place of the built-in text'
      : after === null
        ? 'the built-in text again'
        : `${count('removed')} lines removed, ${count('added')} added`;
  return (
    <details className="terms-text">
      <summary>
        {visibleText(label)} <span className="terms-text__how">{how}</span>
      </summary>
      <div className="diff">
        {lines.map(({ kind, text }, at) => (
          <DiffLineRow key={at} kind={kind} text={text} />
        ))}
      </div>
    </details>
  );
}

const signs = { same: ' ', removed: '−', added: '+' };
const words = { same: '', removed: 'Removed: ', added: 'Added: ' };

function DiffLineRow({ kind, text }: { kind: keyof typeof signs; text: string }) {
  return (
    <p className="diff__line" data-kind={kind}>
      <span className="svc-visually-hidden">{words[kind]}</span>
      <span className="diff__sign" aria-hidden="true">
        {signs[kind]}
      </span>
      {visibleText(text)}
    </p>
  );
}
