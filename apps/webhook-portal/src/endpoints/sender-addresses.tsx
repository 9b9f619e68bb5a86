import { useQuery } from '@tanstack/react-query';
import { egressIpsQuery } from '../api/endpoints.ts';
import { CopyButton } from '../components/copy-button.tsx';

/** For the receiver's firewall. */
export function SenderAddresses() {
  const { data } = useQuery(egressIpsQuery);
  if (!data) return null;
  return (
    <section className="svc-card side-card" aria-label="Sender addresses">
      <h2 className="section-title">Sender addresses</h2>
      {data.egress_ips.length === 0 ? (
        <p className="side-card__quiet">
          This service has no fixed addresses, so don’t filter by address.
        </p>
      ) : (
        <>
          <p className="side-card__quiet">
            Webhooks come from these only. Let them through your firewall.
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
