import { Field } from '@svc/ui/console/parts/field.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import type { Endpoint } from '../api/endpoints.ts';

export function EndpointSelect(props: {
  endpoints: readonly Endpoint[];
  value: string;
  onChange: (id: string) => void;
}) {
  return (
    <Field label="Endpoint">
      {(wiring) => (
        <select
          {...wiring}
          className="svc-field__input"
          value={props.value}
          onChange={(event) => props.onChange(event.target.value)}
        >
          {props.endpoints.map(({ id, url, state }) => (
            <option key={id} value={id}>
              {visibleText(url)}
              {state === 'disabled' ? ' (disabled)' : ''}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
