import { Field } from '@svc/ui/console/parts/field.tsx';
import { Described } from '@svc/ui/console/parts/text.tsx';
import { useId, useState } from 'react';
import { type CatalogEntry, groupByCategory } from '../api/event-types.ts';
import { checkData, type JsonCheck, type Schema } from '../event-catalog/check-schema.ts';

/** The JSON editor for `data`, with the submit button and a button to restore the example. */
export function DataEditor(props: {
  example: ReturnType<typeof useExample>;
  submit: string;
  pending: boolean;
}) {
  const { example, submit, pending } = props;
  return (
    <>
      <JsonEditor
        label="data"
        value={example.text}
        onChange={example.setText}
        check={example.check}
      />
      <div className="try__actions">
        <button
          type="submit"
          className="svc-button"
          aria-busy={pending}
          disabled={example.check.parsed === null}
        >
          {submit}
        </button>
        {example.changed ? (
          <button type="button" className="svc-button svc-button--quiet" onClick={example.reset}>
            Reset to the example
          </button>
        ) : null}
      </div>
    </>
  );
}

export function TypeSelect(props: {
  types: readonly CatalogEntry[];
  value: string | undefined;
  onChange: (name: string) => void;
}) {
  const { types, value, onChange } = props;
  const type = types.find(({ name }) => name === value);
  return (
    <Field label="Event type" hint={type ? <Described text={type.description} /> : null}>
      {(wiring) => (
        <select
          {...wiring}
          className="svc-field__input"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {[...groupByCategory(types)].map(([group, members]) => (
            <optgroup key={group} label={group}>
              {members.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </optgroup>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A JSON editor that checks while the user types. Schema mismatches are warnings and do not block sending. */
function JsonEditor(props: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  check: JsonCheck;
}) {
  const id = useId();
  const { problems, parsed } = props.check;
  return (
    <div className="svc-field">
      <label className="svc-field__label" htmlFor={id}>
        {props.label}
      </label>
      <textarea
        id={id}
        className="svc-field__input svc-field__input--code json-editor"
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        rows={Math.min(24, Math.max(10, props.value.split('\n').length + 1))}
        value={props.value}
        aria-invalid={parsed === null}
        aria-describedby={`${id}-check`}
        onChange={(event) => props.onChange(event.target.value)}
      />
      <div id={`${id}-check`} className="json-editor__check" role="status">
        {problems.length === 0 ? (
          <p className="tone-good">Matches the schema.</p>
        ) : (
          <ul>
            {problems.slice(0, 6).map((problem) => (
              <li key={problem} className={parsed === null ? 'tone-bad' : 'tone-warn'}>
                {problem}
              </li>
            ))}
            {problems.length > 6 ? <li>and {problems.length - 6} more</li> : null}
          </ul>
        )}
        {problems.length > 0 && parsed !== null ? <p>You can send it anyway.</p> : null}
      </div>
    </div>
  );
}

/** An event type's example as editable JSON. Edits are kept per type while switching between types. */
export function useExample(types: readonly CatalogEntry[], name: string | undefined) {
  const type = types.find((each) => each.name === name) ?? types[0];
  const [typed, setTyped] = useState<Record<string, string>>({});
  const example = JSON.stringify(type?.example ?? {}, null, 2);
  const edited = type ? typed[type.name] : undefined;
  const text = edited ?? example;
  return {
    type,
    text,
    changed: edited !== undefined && edited !== example,
    check: checkData(text, type?.schema as Schema | undefined),
    setText: (value: string) => type && setTyped({ ...typed, [type.name]: value }),
    load: (name: string, value: string) => setTyped({ ...typed, [name]: value }),
    reset: () => type && setTyped({ ...typed, [type.name]: example }),
  };
}
