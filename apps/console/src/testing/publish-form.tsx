import { Field, fieldError, generalError } from '@svc/ui/console/parts/field.tsx';
import { Empty } from '@svc/ui/console/parts/page-states.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import type { Endpoint } from '../api/endpoints.ts';
import type { CatalogEntry } from '../api/event-types.ts';
import { publishCustom } from '../api/messages.ts';
import { ChannelsField } from '../subscriptions/channels-field.tsx';
import { checkChannels, readChannels } from '../subscriptions/read-channels.ts';
import { isSubscribed } from '../subscriptions/select-types.ts';
import { DataEditor, TypeSelect, useExample } from './event-editor.tsx';
import { PresetBar } from './preset-bar.tsx';

/** Publishes a custom event to all subscribed endpoints, with retries and replay as for any event. */
export function PublishForm(props: {
  endpoints: readonly Endpoint[];
  types: readonly CatalogEntry[];
  eventType: string | undefined;
  onChange: (part: { event_type?: string }) => void;
}) {
  const queryClient = useQueryClient();
  const [tenant, setTenant] = useState('');
  const [typed, setTyped] = useState('');
  const channels = readChannels(typed);
  const example = useExample(props.types, props.eventType);
  const publishing = useMutation({
    mutationFn: publishCustom,
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ['messages'] }),
  });
  const { type } = example;
  const { parsed } = example.check;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!parsed || !type || publishing.isPending || checkChannels(typed) !== null) return;
    const external = tenant === '' ? {} : { external_id: tenant };
    const to = channels.length === 0 ? {} : { channels };
    publishing.mutate({ event_type: type.name, dataText: example.text, ...external, ...to });
  };
  return (
    <div className="try">
      <form className="try__form" onSubmit={submit}>
        <TypeSelect
          types={props.types}
          value={type?.name}
          onChange={(name) => props.onChange({ event_type: name })}
        />
        <TenantField value={tenant} onChange={setTenant} error={publishing.error} />
        <ChannelsField
          value={typed}
          hint="Separate with commas. An endpoint with channels receives the event only if they share a channel."
          error={fieldError(publishing.error, 'channels')}
          onChange={setTyped}
        />
        <p className="svc-field__error" role="alert">
          {fieldError(publishing.error, 'data') ??
            generalError(publishing.error, ['external_id', 'channels', 'data'])}
        </p>
        <PresetBar
          present={example.type ? { event_type: example.type.name, text: example.text } : null}
          onChoose={({ event_type, body }) => {
            example.load(event_type, body);
            props.onChange({ event_type });
          }}
        />
        <DataEditor example={example} submit="Publish event" pending={publishing.isPending} />
      </form>
      <section className="try__result" aria-label="Result" aria-live="polite">
        {publishing.data ? (
          <Published id={publishing.data.id} warnings={publishing.data.warnings} />
        ) : (
          <Empty
            icon="messages"
            title={describeReceivers(props.endpoints, type?.name ?? '', channels)}
          >
            <p>
              The body contains "custom": true so your receiver can tell it apart from a real event.
            </p>
          </Empty>
        )}
      </section>
    </div>
  );
}

function TenantField(props: {
  value: string;
  onChange: (value: string) => void;
  error: Error | null;
}) {
  return (
    <Field
      label="Tenant id"
      optional
      hint="Sent in the body as external_id."
      error={fieldError(props.error, 'external_id')}
    >
      {(wiring) => (
        <input
          {...wiring}
          className="svc-field__input"
          autoComplete="off"
          maxLength={255}
          value={props.value}
          onChange={(event) => props.onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

type Warning = Awaited<ReturnType<typeof publishCustom>>['warnings'][number];

function Published({ id, warnings }: { id: string; warnings: Warning[] }) {
  return (
    <>
      <div className="svc-notice svc-tone-good">
        <p className="svc-notice__title">Published</p>
        <p>
          <Link to="/messages/$messageId" params={{ messageId: id }} className="svc-link">
            View the message
          </Link>
        </p>
      </div>
      {warnings.length > 0 ? (
        <div className="svc-notice svc-tone-warn">
          <p className="svc-notice__title">It does not match the schema of its type</p>
          <p>It was sent unchanged. These fields differ:</p>
          <ul className="testing__differs">
            {[...new Set(warnings.map(({ param }) => param ?? 'data'))].map((param) => (
              <li key={param}>
                <code>{visibleText(param)}</code>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </>
  );
}

function describeReceivers(
  endpoints: readonly Endpoint[],
  type: string,
  channels: readonly string[],
): string {
  const count = endpoints.filter((endpoint) => isSubscribed(endpoint, type, channels)).length;
  if (count === 0) return 'No endpoint would receive it';
  return count === 1 ? 'It will go to 1 endpoint' : `It will go to ${count} endpoints`;
}
