import { Field } from '../components/field.tsx';
import { type ReplayDraft, windows } from './replay-draft.ts';

/** Since when: a few hours or days back, or moments of one's own in the viewer's zone. */
export function WindowFields(props: {
  draft: ReplayDraft;
  onChange: (part: Partial<ReplayDraft>) => void;
}) {
  const { draft, onChange } = props;
  return (
    <>
      <fieldset className="svc-field">
        <legend className="svc-field__label">Published in the last</legend>
        <div className="choices choices--row">
          {windows.map(({ hours, words }) => (
            <label key={hours}>
              <input
                type="radio"
                name="window"
                checked={draft.window === hours}
                onChange={() => onChange({ window: hours })}
              />
              {words}
            </label>
          ))}
          <label>
            <input
              type="radio"
              name="window"
              checked={draft.window === 'own'}
              onChange={() => onChange({ window: 'own' })}
            />
            A time of my own
          </label>
        </div>
      </fieldset>
      {draft.window === 'own' ? (
        <div className="replay__own">
          <Moment label="Since" value={draft.since} onChange={(since) => onChange({ since })} />
          <Moment
            label="Until"
            optional
            value={draft.until}
            onChange={(until) => onChange({ until })}
          />
        </div>
      ) : null}
    </>
  );
}

function Moment(props: {
  label: string;
  optional?: boolean;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <Field label={props.label} optional={props.optional ?? false}>
      {(wiring) => (
        <input
          {...wiring}
          type="datetime-local"
          className="svc-field__input"
          value={props.value}
          onChange={(event) => props.onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
