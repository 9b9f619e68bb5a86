import {
  type Section,
  type SectionGroup,
  useReachableGroups,
} from '@svc/ui/console/shell/sections.ts';
import { useSession } from '../session/use-session.ts';

interface ScopedSection extends Section {
  /** The scope that a session needs. Default: `webhooks`. */
  readonly scope?: 'admin';
  readonly sandboxOnly?: boolean;
}

export const groups: readonly SectionGroup<ScopedSection>[] = [
  {
    name: 'Webhooks',
    sections: [
      { to: '/endpoints', label: 'Endpoints', short: 'Endpoints', icon: 'endpoints', key: 'e' },
      { to: '/messages', label: 'Messages', short: 'Messages', icon: 'messages', key: 'm' },
      { to: '/deliveries', label: 'Deliveries', short: 'Deliveries', icon: 'deliveries', key: 'l' },
      { to: '/event-catalog', label: 'Event catalog', short: 'Catalog', icon: 'catalog', key: 'c' },
      { to: '/testing', label: 'Testing', short: 'Testing', icon: 'testing', key: 't' },
      { to: '/replays', label: 'Replays', short: 'Replays', icon: 'replay', key: 'r' },
      { to: '/activity', label: 'Activity', short: 'Activity', icon: 'activity', key: 'a' },
      { to: '/debugger', label: 'Debugger', short: 'Debugger', icon: 'debugger', key: 'd' },
    ],
  },
  {
    name: 'Integration',
    sections: [
      {
        to: '/requests',
        label: 'Requests',
        short: 'Requests',
        icon: 'requests',
        key: 'q',
        scope: 'admin',
      },
      {
        to: '/doctor',
        label: 'Doctor',
        short: 'Doctor',
        icon: 'doctor',
        key: 'i',
        scope: 'admin',
      },
      {
        to: '/certify',
        label: 'Certify',
        short: 'Certify',
        icon: 'certify',
        key: 'f',
        scope: 'admin',
      },
      {
        to: '/api-keys',
        label: 'API keys',
        short: 'API keys',
        icon: 'key',
        key: 'k',
        scope: 'admin',
      },
      {
        to: '/origins',
        label: 'Origins',
        short: 'Origins',
        icon: 'origins',
        key: 'o',
        scope: 'admin',
      },
      { to: '/appearance', label: 'Appearance', short: 'Brand', icon: 'appearance', key: 'p' },
    ],
  },
  {
    name: 'Business',
    sections: [
      {
        to: '/tenants',
        label: 'Tenants',
        short: 'Tenants',
        icon: 'tenants',
        key: 'n',
        scope: 'admin',
      },
      {
        to: '/time-machine',
        label: 'Time machine',
        short: 'Time',
        icon: 'clock',
        key: 'x',
        scope: 'admin',
        sandboxOnly: true,
      },
      {
        to: '/settlements',
        label: 'Settlements',
        short: 'Settled',
        icon: 'settlements',
        key: 's',
        scope: 'admin',
      },
      {
        to: '/payouts',
        label: 'Payouts',
        short: 'Payouts',
        icon: 'payouts',
        key: 'y',
        scope: 'admin',
      },
    ],
  },
];

/** The navigation for this session. */
export function useSectionGroups(): readonly SectionGroup[] {
  const { scope, environment } = useSession();
  return useReachableGroups(
    groups,
    (section) =>
      (section.scope === undefined || scope === 'admin') &&
      (!section.sandboxOnly || environment === 'sandbox'),
  );
}
