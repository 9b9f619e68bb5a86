import { CodeField, Field, fieldError } from '@svc/ui/console/parts/field.tsx';
import { useState } from 'react';
import { ChannelsField } from '../subscriptions/channels-field.tsx';
import { checkChannels } from '../subscriptions/read-channels.ts';
import { checkUid } from './check-endpoint.ts';
import type { PartProps } from './endpoint-draft.ts';
import { HeaderFields } from './header-fields.tsx';

/** Advanced settings, collapsed by default. */
export function MoreFields(props: PartProps) {
  const { draft, stored, error, onChange } = props;
  const [open, setOpen] = useState(false);
  const refused = moreFields.some((name) => fieldError(error, name) !== null);
  const faulty = refused || checkUid(draft.uid) !== null || checkChannels(draft.channels) !== null;
  return (
    <details
      className="more"
      open={open || faulty}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>Headers, rate limit, channels, and more</summary>
      <div className="more__fields">
        <HeaderFields {...props} />
        <RateField {...props} />
        <ChannelsField
          value={draft.channels}
          hint="Separate with commas. The endpoint then receives only custom events published to one of these channels."
          error={fieldError(error, 'channels')}
          onChange={(channels) => onChange({ channels })}
        />
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
        <label className="choices">
          <span>
            <input
              type="checkbox"
              checked={draft.disableOnGone}
              onChange={(event) => onChange({ disableOnGone: event.target.checked })}
            />
            Disable the endpoint when it returns 410 Gone
          </span>
        </label>
      </div>
    </details>
  );
}

export const moreFields = ['headers', 'throttle_per_second', 'channels', 'uid', 'secret'];

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
