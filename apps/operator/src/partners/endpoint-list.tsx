import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { Ago } from '@svc/ui/console/time/time.tsx';
import type { PartnerEndpoint } from '../api/partners.ts';

/** The endpoints that receive the partner's webhooks, and whether deliveries succeed. */
export function EndpointList({ endpoints }: { endpoints: readonly PartnerEndpoint[] }) {
  if (endpoints.length === 0) {
    return (
      <p className="partner__quiet">
        None yet. The partner adds its endpoints in its own console, or with the API.
      </p>
    );
  }
  return (
    <ul className="rows">
      {endpoints.map((endpoint) => (
        <li key={endpoint.id} className="key-row" data-row>
          <div className="key-row__words">
            <span className="key-row__name url-text">{visibleText(endpoint.url)}</span>
            <span className="key-row__facts">
              {endpoint.description === null ? null : (
                <span>{visibleText(endpoint.description)}</span>
              )}
              {endpoint.secret_created_at === null ? null : (
                <span>
                  Signing secret from <Ago at={endpoint.secret_created_at} inline />
                </span>
              )}
            </span>
          </div>
          <EndpointState endpoint={endpoint} />
        </li>
      ))}
    </ul>
  );
}

function EndpointState({ endpoint }: { endpoint: PartnerEndpoint }) {
  const { state, disabled_reason, failing_since } = endpoint;
  if (state === 'disabled') {
    return (
      <span className="key-state">
        <StateMark tone="neutral">Off</StateMark>
        <span>{visibleText((disabled_reason ?? '').replaceAll('_', ' '))}</span>
      </span>
    );
  }
  if (failing_since !== null) {
    return (
      <span className="key-state">
        <StateMark tone="bad">Fails</StateMark>
        <span>
          since <Ago at={failing_since} inline />
        </span>
      </span>
    );
  }
  return (
    <span className="key-state">
      <StateMark tone="good">Delivers</StateMark>
    </span>
  );
}
