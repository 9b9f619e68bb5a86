import { byGroup, type CatalogEntry } from '../api/event-types.ts';
import { Described } from '../components/described.tsx';
import { Field } from '../components/field.tsx';

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
          {[...byGroup(types)].map(([group, members]) => (
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
