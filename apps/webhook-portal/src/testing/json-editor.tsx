import { useId } from 'react';
import '../components/json/json.css';

/** Editable JSON with what is wrong with it, said as one types. Warnings do not stop anything. */
export function JsonEditor(props: {
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
          <p className="tone-good">Fits the schema.</p>
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
        {problems.length > 0 && parsed !== null ? <p>It can be sent all the same.</p> : null}
      </div>
    </div>
  );
}

/** `parsed` is null where the text is not a JSON object and so can't be sent. */
export interface JsonCheck {
  parsed: Record<string, unknown> | null;
  problems: string[];
}
