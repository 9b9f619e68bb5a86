import { Field, fieldError, generalError } from '@svc/ui/console/parts/field.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useQuery } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { partnersQuery } from '../api/partners.ts';
import type { TermsDraft } from '../api/terms.ts';
import { centsOf } from '../commands/command-words.ts';

/** The draft as it is typed. */
export interface DraftForm {
  readonly terms: string;
  /** Empty for all partners. */
  readonly pms: string;
  /** Empty for all states. */
  readonly state: string;
  readonly effective: string;
  readonly amount: string;
}

export function draftOf({ terms, pms, state, effective }: DraftForm): TermsDraft {
  const where = state.trim().toUpperCase();
  return { terms, effective, ...(pms !== '' && { pms }), ...(where !== '' && { state: where }) };
}

/** Returns the first day that has not begun in any time zone, which is the earliest that the service accepts. */
export function firstDayToCome(now: number): string {
  return new Date(now + (14 + 24) * 3_600_000).toISOString().slice(0, 10);
}

interface Props {
  readonly form: DraftForm;
  readonly editor: RefObject<HTMLTextAreaElement | null>;
  readonly error: Error | null;
  readonly isReady: boolean;
  readonly isPending: boolean;
  readonly onChange: (part: Partial<DraftForm>) => void;
  readonly onSubmit: () => void;
}

export function TermsForm(props: Props) {
  const { form, editor, error, isReady, isPending, onChange, onSubmit } = props;
  const isMistake = fieldError(error, 'terms') !== null;
  const problem = isMistake ? null : generalError(error, ['input.effective', 'input.state']);
  return (
    <form
      className="draft__form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isPending) onSubmit();
      }}
    >
      <Place form={form} error={error} onChange={onChange} />
      <Document form={form} editor={editor} onChange={onChange} />
      <Field
        label="Balance to compare the offers for"
        hint="In dollars, such as 1500.00."
        error={centsOf(form.amount) === null ? 'Write an amount like 1500.00.' : null}
      >
        {(wiring) => (
          <input
            {...wiring}
            className="svc-field__input draft__amount"
            inputMode="decimal"
            autoComplete="off"
            value={form.amount}
            onChange={({ target }) => onChange({ amount: target.value })}
          />
        )}
      </Field>
      {problem === null || hasFields(error) ? null : (
        <p className="svc-field__error" role="alert">
          {problem}
        </p>
      )}
      <button
        type="submit"
        className="svc-button draft__compare"
        aria-busy={isPending}
        disabled={!isReady}
      >
        Compare with what is in force
      </button>
    </form>
  );
}

/** Returns whether the error names fields, which the list of mistakes shows. */
function hasFields(error: Error | null): boolean {
  return error !== null && 'fields' in error && (error.fields as readonly unknown[]).length > 0;
}

function Place({ form, error, onChange }: Pick<Props, 'form' | 'error' | 'onChange'>) {
  const partners = useQuery(partnersQuery).data ?? [];
  return (
    <div className="draft__place">
      <Field label="Partner">
        {(wiring) => (
          <select
            {...wiring}
            className="svc-field__input"
            value={form.pms}
            onChange={({ target }) => onChange({ pms: target.value })}
          >
            <option value="">All partners</option>
            {partners.map(({ pms, name }) => (
              <option key={pms} value={pms}>
                {visibleText(name)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="State" hint="Such as TX. Empty: all." error={fieldError(error, 'input.state')}>
        {(wiring) => (
          <input
            {...wiring}
            className="svc-field__input"
            autoComplete="off"
            spellCheck={false}
            maxLength={30}
            value={form.state}
            onChange={({ target }) => onChange({ state: target.value })}
          />
        )}
      </Field>
      <Field
        label="In force from"
        hint="At each home."
        error={fieldError(error, 'input.effective')}
      >
        {(wiring) => (
          <input
            {...wiring}
            className="svc-field__input"
            type="date"
            required
            value={form.effective}
            onChange={({ target }) => onChange({ effective: target.value })}
          />
        )}
      </Field>
    </div>
  );
}

function Document({ form, editor, onChange }: Pick<Props, 'form' | 'editor' | 'onChange'>) {
  return (
    <Field
      label="The document, as JSON"
      hint={
        <label className="draft__file">
          Or take it from a file{' '}
          <input
            type="file"
            accept="application/json,.json"
            onChange={async ({ target }) => {
              const [file] = target.files ?? [];
              if (file) onChange({ terms: await file.text() });
              // Reset, so that choosing the same file again reads it again.
              target.value = '';
            }}
          />
        </label>
      }
    >
      {(wiring) => (
        <textarea
          {...wiring}
          ref={editor}
          className="svc-field__input svc-field__input--code draft__editor"
          spellCheck={false}
          autoComplete="off"
          rows={24}
          value={form.terms}
          onChange={({ target }) => onChange({ terms: target.value })}
        />
      )}
    </Field>
  );
}
