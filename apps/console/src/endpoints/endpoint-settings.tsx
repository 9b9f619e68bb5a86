import { CopyButton } from '@svc/ui/console/parts/copy-button.tsx';
import { Fact } from '@svc/ui/console/parts/fact.tsx';
import { UrlText } from '@svc/ui/console/parts/text.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { minuteTime } from '@svc/ui/console/time/format-time.ts';
import { useQuery } from '@tanstack/react-query';
import { type Endpoint, egressIpsQuery } from '../api/endpoints.ts';
import { describeAuth } from './auth-fields.tsx';
import { formatFilter } from './filter-text.ts';

export function EndpointDetails({ endpoint }: { endpoint: Endpoint }) {
  const { throttle_per_second: rate, header_names: headers } = endpoint;
  return (
    <section className="svc-card side-card" aria-label="Settings">
      <h2 className="section-title">Settings</h2>
      <dl className="facts">
        <Fact name="URL">
          <UrlText url={endpoint.url} />
          <CopyButton text={endpoint.url} label="Copy the URL" />
        </Fact>
        <Fact name="Events">
          {endpoint.event_types === null ? (
            'All, including types added later'
          ) : (
            <span className="facts__types">
              {endpoint.event_types.map((type) => (
                <code key={type}>{type}</code>
              ))}
            </span>
          )}
        </Fact>
        {endpoint.channels === null ? null : (
          <Fact name="Channels">
            <span className="facts__types">
              {endpoint.channels.map((channel) => (
                <code key={channel}>{channel}</code>
              ))}
            </span>
          </Fact>
        )}
        {endpoint.filter === null ? null : (
          <Fact name="Filter">
            <span className="facts__types">
              {formatFilter(endpoint.filter)
                .split('\n')
                .map((line) => (
                  <code key={line}>{visibleText(line)}</code>
                ))}
            </span>
          </Fact>
        )}
        <Fact name="Authentication">{describeAuth(endpoint.auth)}</Fact>
        <Fact name="Headers">
          {headers.length === 0 ? 'None' : visibleText(headers.join(', '))}
        </Fact>
        <Fact name="Rate">{rate === null ? 'Unlimited' : `At most ${rate} per second`}</Fact>
        <Fact name="On 410 Gone">
          {endpoint.disable_on_gone ? 'Disable' : 'Retry like any failure'}
        </Fact>
        <Fact name="Retry-After">
          {endpoint.honor_retry_after ? 'Honored, for at most 24 hours' : 'Recorded, not honored'}
        </Fact>
        <Fact name="Order">
          {endpoint.ordered
            ? 'One message of a tenant at a time. An exhausted message lets the next one go.'
            : 'Messages may arrive out of order'}
        </Fact>
        {endpoint.public_keys.map(({ public_key, expires_at }) => (
          <Fact
            key={public_key}
            name={expires_at === null ? 'Public key' : `Public key until ${minuteTime(expires_at)}`}
          >
            <code>{public_key}</code>
            <CopyButton text={public_key} label="Copy the public key" />
          </Fact>
        ))}
        <Fact name="Added">{minuteTime(endpoint.created_at)}</Fact>
        <Fact name="ID">
          <code>{endpoint.id}</code>
          <CopyButton text={endpoint.id} label="Copy endpoint ID" />
        </Fact>
        {endpoint.uid === null ? null : (
          <Fact name="Custom ID">
            <code>{endpoint.uid}</code>
            <CopyButton text={endpoint.uid} label="Copy custom ID" />
          </Fact>
        )}
      </dl>
    </section>
  );
}

/** The IP addresses that webhooks come from, for the receiver's firewall. */
export function SenderAddresses() {
  const { data } = useQuery(egressIpsQuery);
  if (!data) return null;
  return (
    <section className="svc-card side-card" aria-label="Sender addresses">
      <h2 className="section-title">Sender addresses</h2>
      {data.egress_ips.length === 0 ? (
        <p className="side-card__quiet">
          This service has no fixed IP addresses. Don’t filter by address.
        </p>
      ) : (
        <>
          <p className="side-card__quiet">
            All webhooks come from these addresses. Allow them in your firewall.
          </p>
          <div className="addresses">
            <ul>
              {data.egress_ips.map((address) => (
                <li key={address}>
                  <code>{address}</code>
                </li>
              ))}
            </ul>
            <CopyButton text={data.egress_ips.join('\n')} label="Copy all addresses" />
          </div>
        </>
      )}
    </section>
  );
}
