import { type SubmitEvent, useState } from 'react';
import { closeFloating, Floating } from '../parts/floating.tsx';
import { ChipCross, chipWords } from './facet-menu.tsx';

/** One tenant by the whole id, as the partner sent it. */
export function TenantFacet(props: {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  const { value, onChange } = props;
  return (
    <span className="chip" data-set={value !== undefined}>
      <Floating
        className="chip__words"
        name="Tenant"
        popup="dialog"
        align="start"
        panelClassName="time-facet"
        face={chipWords('Tenant', value)}
        onOpen={(panel) => panel.querySelector('input')?.focus()}
      >
        {() => <TenantForm value={value} onChange={onChange} />}
      </Floating>
      <ChipCross label="Tenant" shown={value !== undefined} onRemove={() => onChange(undefined)} />
    </span>
  );
}

function TenantForm(props: {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  const [id, setId] = useState(props.value ?? '');
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    closeFloating(event.currentTarget);
    props.onChange(id === '' ? undefined : id);
  };
  return (
    <form className="time-facet__form" onSubmit={submit}>
      <label>
        Tenant id
        <input
          className="svc-field__input svc-field__input--small"
          autoComplete="off"
          spellCheck={false}
          maxLength={255}
          value={id}
          onChange={(event) => setId(event.target.value)}
        />
      </label>
      <button type="submit" className="svc-button svc-button--secondary svc-button--small">
        Show this tenant
      </button>
    </form>
  );
}
