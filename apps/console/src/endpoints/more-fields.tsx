import { CodeField, Field, fieldError } from '@svc/ui/console/parts/field.tsx';
import { type ReactNode, useState } from 'react';
import { ChannelsField } from '../subscriptions/channels-field.tsx';
import { checkChannels } from '../subscriptions/read-channels.ts';
import { checkUid } from './check-endpoint.ts';
import type { PartProps } from './endpoint-draft.ts';
import { FilterField } from './filter-field.tsx';
import { checkFilterText } from './filter-text.ts';
import { HeaderFields } from './header-fields.tsx';

/** Advanced settings, collapsed by default. */
export function MoreFields(props: PartProps) {
  const { draft, stored, error, onChange } = props;
  const [open, setOpen] = useState(false);
  const refused = moreFields.some((name) => fieldError(error, name) !== null);
  const wrong = [checkUid(draft.uid), checkChannels(draft.channels), checkFilterText(draft.filter)];
  const faulty = refused || wrong.some((it) => it !== null);
  return (
    <details
      className="more"
      open={open || faulty}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>Headers, rate limit, channels, filter, and more</summary>
      <div className="more__fields">
        <HeaderFields {...props} />
        <RateField {...props} />
        <ChannelsField
          value={draft.channels}
          hint="Separate with commas. The endpoint then receives only custom events published to one of these channels."
          error={fieldError(error, 'channels')}
          onChange={(channels) => onChange({ channels })}
        />
        <FilterField {...props} />
        <CodeField
          label="Custom ID"
          optional
          hint="Your backend can use it wherever the API takes an endpoint ID."
          error={checkUid(draft.uid) ?? fieldError(error, 'uid')}
          value={draft.uid}
          onChange={(uid) => onChange({ uid })}
        />
        {stored ? null : (
          <CodeField
            label="Custom signing secret"
            optional
            hint="whsec_ followed by base64. Leave empty to generate one, which is safer."
            error={fieldError(error, 'secret')}
            value={draft.secret}
            onChange={(secret) => onChange({ secret })}
          />
        )}
        <div className="choices">
          <Choice
            checked={draft.disableOnGone}
            onChange={(disableOnGone) => onChange({ disableOnGone })}
          >
            Disable the endpoint when it returns 410 Gone
          </Choice>
          <Choice
            checked={draft.honorRetryAfter}
            onChange={(honorRetryAfter) => onChange({ honorRetryAfter })}
          >
            Wait longer when a failed response has Retry-After, for at most 24 hours
          </Choice>
          <Choice checked={draft.ordered} onChange={(ordered) => onChange({ ordered })}>
            Send each tenant’s messages in order: one waits until the one before has succeeded, or
            has failed eight times and is exhausted
          </Choice>
          <Choice
            checked={draft.asymmetricSignature}
            onChange={(asymmetricSignature) => onChange({ asymmetricSignature })}
          >
            Sign with an ed25519 key pair, too (v1a), for receivers that must not hold a secret
          </Choice>
          {stored ? null : (
            <Choice checked={draft.disabled} onChange={(disabled) => onChange({ disabled })}>
              Create it disabled: messages are held until you enable it
            </Choice>
          )}
        </div>
      </div>
    </details>
  );
}

export const moreFields = ['headers', 'throttle_per_second', 'channels', 'filter', 'uid', 'secret'];

function Choice(props: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}) {
  return (
    <label>
      <input
        type="checkbox"
        checked={props.checked}
        onChange={(event) => props.onChange(event.target.checked)}
      />
      {props.children}
    </label>
  );
}

function RateField({ draft, error, onChange }: PartProps) {
  return (
    <Field
      label="Maximum per second"
      optional
      hint="Deliveries over the limit wait; none are lost."
      error={fieldError(error, 'throttle_per_second')}
    >
      {(wiring) => (
        <input
          {...wiring}
          className="svc-field__input more__rate"
          type="number"
          min={1}
          max={10_000}
          step={1}
          inputMode="numeric"
          value={draft.throttle}
          onChange={(event) => onChange({ throttle: event.target.value })}
        />
      )}
    </Field>
  );
}
