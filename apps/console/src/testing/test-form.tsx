import { Empty } from '@svc/ui/console/parts/page-states.tsx';
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { SubmitEvent } from 'react';
import { type Endpoint, sendTest } from '../api/endpoints.ts';
import type { CatalogEntry } from '../api/event-types.ts';
import type { Attempt } from '../api/messages.ts';
import { AttemptDetail } from '../deliveries/attempt-detail.tsx';
import { EndpointSelect } from '../subscriptions/endpoint-select.tsx';
import { DataEditor, TypeSelect, useExample } from './event-editor.tsx';
import { PresetBar } from './preset-bar.tsx';

/** Sends a test event to one endpoint and shows its response. Tests do not count in statistics. */
export function TestForm(props: {
  endpoints: readonly Endpoint[];
  types: readonly CatalogEntry[];
  endpointId: string | undefined;
  eventType: string | undefined;
  onChange: (part: { endpoint_id?: string; event_type?: string }) => void;
}) {
  const { endpoints, types, onChange } = props;
  const example = useExample(types, props.eventType);
  const endpoint = endpoints.find(({ id }) => id === props.endpointId) ?? endpoints[0];
  const sending = useMutation({
    mutationFn: (test: TestSend) =>
      sendTest(test.id, { event_type: test.event_type, dataText: test.dataText }),
  });
  if (!endpoint) return <NoEndpoint />;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const { parsed } = example.check;
    if (!parsed || !example.type || sending.isPending) return;
    sending.mutate({ id: endpoint.id, event_type: example.type.name, dataText: example.text });
  };
  return (
    <div className="try">
      <form className="try__form" onSubmit={submit}>
        <EndpointSelect
          endpoints={endpoints}
          value={endpoint.id}
          onChange={(endpoint_id) => onChange({ endpoint_id })}
        />
        <TypeSelect
          types={types}
          value={example.type?.name}
          onChange={(event_type) => onChange({ event_type })}
        />
        <PresetBar
          present={example.type ? { event_type: example.type.name, text: example.text } : null}
          onChoose={({ event_type, body }) => {
            example.load(event_type, body);
            onChange({ event_type });
          }}
        />
        <DataEditor example={example} submit="Send test" pending={sending.isPending} />
      </form>
      <Answer sending={sending} />
    </div>
  );
}

interface TestSend {
  id: string;
  event_type: string;
  dataText: string;
}

function Answer({ sending }: { sending: UseMutationResult<Attempt, Error, TestSend> }) {
  return (
    <section className="try__result" aria-label="Response" aria-live="polite">
      <h2 className="svc-visually-hidden">Response</h2>
      {sending.isPending ? (
        <p className="testing__wait">Waiting for the response, up to 15 seconds …</p>
      ) : null}
      {sending.isError ? (
        <div className="svc-notice svc-tone-bad">
          <p className="svc-notice__title">The test was not sent</p>
          <p>{sending.error.message}</p>
        </div>
      ) : null}
      {sending.data ? (
        <div className="svc-card svc-card--flush">
          <AttemptDetail attempt={sending.data} alone />
        </div>
      ) : null}
      {sending.isIdle ? (
        <Empty icon="send" title="The response appears here">
          <p>
            Status, headers, body, and timing. Tests are marked as tests and don’t count in
            statistics.
          </p>
        </Empty>
      ) : null}
    </section>
  );
}

function NoEndpoint() {
  return (
    <Empty icon="endpoints" title="No endpoint to test yet">
      <Link to="/endpoints/new" className="svc-button svc-button--small">
        Add endpoint
      </Link>
    </Empty>
  );
}
