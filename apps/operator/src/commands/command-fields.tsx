import { Field, type FieldWiring } from '@svc/ui/console/parts/field.tsx';
import type { CommandField, CommandValues } from '../api/commands.ts';
import { usePortalNames } from '../api/partners.ts';
import { centsOf, choicesOf, hintOf, kindOf, labelOf } from './command-words.ts';
import type { Choice } from './open-command.ts';

/** The values that a person has typed or chosen, by field. */
export type Typed = Readonly<Record<string, string | true>>;

export function CommandFieldInput(props: {
  field: CommandField;
  /** The values to choose from, if the page knows them. */
  choices: readonly Choice[] | undefined;
  typed: string | true | undefined;
  error: string | null;
  onChange: (value: string | true | undefined) => void;
}) {
  const { field, typed, error, onChange } = props;
  const choices = props.choices ?? field.choices ?? choicesOf(field.syntax);
  const kind = choices === null ? kindOf(field) : 'choice';
  if (kind === 'flag') {
    return (
      <label className="command__flag">
        <input
          type="checkbox"
          checked={typed === true}
          onChange={({ target }) => onChange(target.checked ? true : undefined)}
        />
        <span>
          {labelOf(field)}
          <span className="command__flag-hint">{hintOf(field)}</span>
        </span>
      </label>
    );
  }
  const text = typeof typed === 'string' ? typed : '';
  if (field.takes_several && choices) {
    return (
      <Several field={field} choices={choices} typed={text} error={error} onChange={onChange} />
    );
  }
  const changeText = (value: string) => onChange(value === '' ? undefined : value);
  const wrong = kind === 'money' && !isReadable(field, { [field.name]: text });
  return (
    <Field
      label={labelOf(field)}
      optional={!field.is_required}
      hint={[hintOf(field), kind === 'money' && 'In dollars, such as 380.03.']
        .filter(Boolean)
        .join(' ')}
      error={wrong ? 'This is not an amount. Write it like 380.03.' : error}
    >
      {(wiring) =>
        kind === 'choice' ? (
          <select
            {...wiring}
            className="svc-field__input"
            value={text}
            onChange={({ target }) => changeText(target.value)}
          >
            <option value="">Choose</option>
            {choices?.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        ) : kind === 'file' ? (
          <input
            {...wiring}
            className="svc-field__input"
            type="file"
            // The browser fires no change event if the same file is chosen again, so a corrected file would be missed.
            onClick={({ currentTarget }) => {
              currentTarget.value = '';
              changeText('');
            }}
            onChange={async ({ target }) => changeText((await target.files?.[0]?.text()) ?? '')}
          />
        ) : kind === 'portal' ? (
          <PortalInput {...wiring} value={text} onChange={changeText} />
        ) : (
          <input
            {...wiring}
            className="svc-field__input"
            type={kind === 'date' ? 'date' : 'text'}
            inputMode={kind === 'money' ? 'decimal' : undefined}
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={({ target }) => changeText(target.value)}
          />
        )
      }
    </Field>
  );
}

/** A text field that suggests the portals that the person may see. */
function PortalInput({
  value,
  onChange,
  ...wiring
}: FieldWiring & {
  value: string;
  onChange: (value: string) => void;
}) {
  const portals = usePortalNames();
  return (
    <>
      <input
        {...wiring}
        className="svc-field__input"
        list={`${wiring.id}-portals`}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={`${wiring.id}-portals`}>
        {portals.map((portal) => (
          <option key={portal} value={portal} />
        ))}
      </datalist>
    </>
  );
}

/** Several of the choices, in the order in which they were chosen. */
function Several(props: {
  field: CommandField;
  choices: readonly Choice[];
  typed: string;
  error: string | null;
  onChange: (value: string | undefined) => void;
}) {
  const { field, choices, typed, error, onChange } = props;
  const chosen = typed === '' ? [] : typed.split(',');
  const toggle = (value: string) => {
    const next = chosen.includes(value) ? chosen.filter((it) => it !== value) : [...chosen, value];
    onChange(next.length === 0 ? undefined : next.join(','));
  };
  return (
    <fieldset className="svc-field">
      <legend className="svc-field__label">
        {labelOf(field)}
        {field.is_required ? null : <span className="field__optional"> (optional)</span>}
      </legend>
      {/* The choices follow the colon on the command line. */}
      <span className="svc-field__hint">
        {hintOf({ summary: field.summary.split(':', 1)[0] ?? '' })}
      </span>
      <div className="choices">
        {choices.map(({ value, label }) => (
          <label key={value}>
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={() => toggle(value)}
            />
            {label}
            {chosen.length > 1 && chosen.includes(value) ? ` (${chosen.indexOf(value) + 1})` : null}
          </label>
        ))}
      </div>
      {error === null ? null : (
        <span className="svc-field__error" role="alert">
          {error}
        </span>
      )}
    </fieldset>
  );
}

/** Converts the typed values to the command's input. Empty and unreadable ones are left out. */
export function readTyped(fields: readonly CommandField[], typed: Typed): CommandValues {
  const entries = fields.flatMap((field): [string, string | true][] => {
    const value = typed[field.name];
    if (value === undefined) return [];
    if (value === true || kindOf(field) !== 'money') return [[field.name, value]];
    const cents = centsOf(value);
    return cents === null ? [] : [[field.name, String(cents)]];
  });
  return Object.fromEntries(entries);
}

/** Returns whether the required fields are filled, and every amount can be read. */
export function isComplete(fields: readonly CommandField[], typed: Typed): boolean {
  return fields.every(
    (field) => isReadable(field, typed) && (!field.is_required || typed[field.name] !== undefined),
  );
}

function isReadable(field: CommandField, typed: Typed): boolean {
  const value = typed[field.name];
  if (typeof value !== 'string' || value === '' || kindOf(field) !== 'money') return true;
  return centsOf(value) !== null;
}
