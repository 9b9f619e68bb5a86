import type { Service } from './context.ts';
import type { Config } from './service-settings.ts';

/** The parts that each kind of process opens or decides itself. */
type Opened = Pick<
  Service,
  | 'identityProvider'
  | 'vault'
  | 'keepsClearNames'
  | 'publish'
  | 'wake'
  | 'processor'
  | 'simulator'
  | 'payoutRail'
  | 'bankFiles'
  | 'processorRecords'
  | 'texts'
>;

interface PublicAddress {
  /** The service's public origin. If the system chooses the port, a server knows it only once it listens. */
  origin: string;
}

/** Creates the service from its settings and from the parts that the process has opened. */
export function createService(
  config: Config,
  { address, ...opened }: Opened & { readonly address: PublicAddress },
): Service {
  return {
    environment: config.environment,
    get publicOrigin() {
      return address.origin;
    },
    get operatorOrigin() {
      return config.operatorOrigin ?? (config.environment === 'sandbox' ? address.origin : null);
    },
    ...opened,
    creditor: config.creditor,
    privacyUrl: config.privacyUrl ?? null,
    egressIps: config.egressIps,
    retention: config.retention,
    approvals: config.approvals,
    debitAccounts: config.debitAccounts,
    decidesOutside: config.underwriting !== undefined,
    decisionFields: config.underwriting?.fields ?? [],
    decisionNeedsAccount: config.decisionNeedsAccount,
    militaryPhone: config.militaryPhone ?? null,
    holdsFlagged: config.holdFlagged,
    needsMilitaryLookup: config.militaryLookupRequired,
    deliversWebhooks: config.webhooks === 'embedded',
    webhookRetentionMs: config.webhookRetentionDays * 86_400_000,
    webhookPolicy: {
      allowPrivate: config.allowPrivateWebhooks,
      allowHttp: config.environment === 'sandbox',
      allowedNetworks: config.webhookAllowedNetworks,
    },
  };
}
