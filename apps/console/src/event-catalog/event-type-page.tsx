import { Tabs } from '@base-ui/react/tabs';
import { JsonView } from '@svc/ui/console/json/json-view.tsx';
import { CodeFile } from '@svc/ui/console/parts/code-file.tsx';
import { DetailBar } from '@svc/ui/console/parts/detail-bar.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { Empty } from '@svc/ui/console/parts/page-states.tsx';
import { Described } from '@svc/ui/console/parts/text.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { type Endpoint, endpointsQuery } from '../api/endpoints.ts';
import { type CatalogEntry, eventTypesQuery } from '../api/event-types.ts';
import { isSubscribed } from '../subscriptions/select-types.ts';
import type { Schema } from './check-schema.ts';
import { SchemaTree } from './schema-tree.tsx';
import { writeTypeScript } from './write-typescript.ts';

const route = getRouteApi('/event-catalog/$eventType');

export function EventTypePage() {
  const { eventType } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate();
  const close = useCallback(
    () => void navigate({ to: '/event-catalog', search }),
    [navigate, search],
  );
  const types = useQuery(eventTypesQuery);
  const endpoints = useQuery(endpointsQuery);
  const type = types.data?.find(({ name }) => name === eventType);
  return (
    <article className="detail" aria-label="Event type">
      <DetailBar
        back={
          <Link to="/event-catalog" search={search} className="detail__back svc-link">
            <Icon name="back" /> Event catalog
          </Link>
        }
        close="Close the event type"
        onClose={close}
      />
      {type && !endpoints.isPending ? (
        <TypeBody type={type} endpoints={endpoints.data} />
      ) : (
        <h1 className="svc-visually-hidden">Event type</h1>
      )}
      {types.data && !type ? (
        <Empty icon="catalog" title="Event type not found">
          <p>The catalog has no event type named {visibleText(eventType)}.</p>
        </Empty>
      ) : null}
    </article>
  );
}

interface Type {
  type: CatalogEntry;
  /** Undefined if they could not be loaded. */
  endpoints: readonly Endpoint[] | undefined;
}

function TypeBody({ type, endpoints }: Type) {
  return (
    <>
      <header className="detail__head">
        <title>{`${type.name} · Console`}</title>
        <h1 className="detail__title">
          {type.name}
          <Version type={type} />
        </h1>
        <p className="detail__summary">
          <Described text={type.description} />
        </p>
        <Receivers type={type} endpoints={endpoints} />
        <div>
          <Link
            to="/testing"
            search={{ event_type: type.name }}
            className="svc-button svc-button--secondary svc-button--small"
          >
            <Icon name="send" /> Send a test
          </Link>
        </div>
      </header>
      <Tabs.Root defaultValue="schema">
        <Tabs.List className="svc-tabs">
          <Tabs.Tab value="schema" className="svc-tabs__tab">
            Fields
          </Tabs.Tab>
          <Tabs.Tab value="example" className="svc-tabs__tab">
            Example
          </Tabs.Tab>
          <Tabs.Tab value="typescript" className="svc-tabs__tab">
            TypeScript
          </Tabs.Tab>
          <Tabs.Tab value="json-schema" className="svc-tabs__tab">
            JSON Schema
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="schema" className="catalog__panel">
          <SchemaTree schema={type.schema as Schema} label={`Fields of ${type.name}`} />
        </Tabs.Panel>
        <Tabs.Panel value="example" className="catalog__panel">
          <JsonView label="Example data" text={JSON.stringify(type.example, null, 2)} />
        </Tabs.Panel>
        <Tabs.Panel value="typescript" className="catalog__panel">
          <CodeFile
            file="TypeScript type"
            note="The type of data"
            code={writeTypeScript(type.name, type.description, type.schema as Schema)}
          />
        </Tabs.Panel>
        <Tabs.Panel value="json-schema" className="catalog__panel">
          <JsonView label="JSON Schema of data" text={JSON.stringify(type.schema, null, 2)} />
        </Tabs.Panel>
      </Tabs.Root>
    </>
  );
}

/** The type's `object_version`, which increases when a field changes its meaning, and whether it is deprecated. */
function Version({ type }: { type: CatalogEntry }) {
  const version = type.example.object_version;
  return (
    <>
      {typeof version === 'number' ? <span className="tag">version {version}</span> : null}
      {type.schema.deprecated === true ? <span className="tag">deprecated</span> : null}
    </>
  );
}

function Receivers({ type, endpoints }: Type) {
  if (endpoints === undefined) return null;
  const receivers = endpoints.filter((each) => isSubscribed(each, type.name, each.channels ?? []));
  if (receivers.length === 0)
    return <p className="catalog__receivers">None of your endpoints receive it.</p>;
  return (
    <details className="catalog__receivers" open={receivers.length <= 5}>
      <summary>
        Sent to {receivers.length} of your {endpoints.length} endpoints
      </summary>
      <ul>
        {receivers.map(({ id, url, channels }) => (
          <li key={id}>
            <Link to="/endpoints/$endpointId" params={{ endpointId: id }} className="svc-link">
              {visibleText(url)}
            </Link>
            {channels === null ? null : ` only custom events on ${channels.join(', ')}`}
          </li>
        ))}
      </ul>
    </details>
  );
}
