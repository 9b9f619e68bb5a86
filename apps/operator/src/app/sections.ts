import { readSearch } from '@svc/ui/console/filters/search-params.ts';
import {
  type Section,
  type SectionGroup,
  useReachableGroups,
} from '@svc/ui/console/shell/sections.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useQuery } from '@tanstack/react-query';
import { commandsQuery } from '../api/commands.ts';
import type { Permission } from '../api/session.ts';
import { type SavedView, viewsQuery } from '../api/views.ts';
import { useSession } from '../session/use-session.ts';

interface PermittedSection extends Section {
  readonly needs: Permission;
  /** Set if the page covers all portals, so that people who are limited to some do not see it. */
  readonly ofAllPartners?: true;
  /** The section is shown only if the service offers this command. */
  readonly command?: string;
}

const groups: readonly SectionGroup<PermittedSection>[] = [
  {
    name: 'Work',
    sections: [
      {
        to: '/queues',
        label: 'Queues',
        short: 'Queues',
        icon: 'deliveries',
        key: 'q',
        needs: 'read',
      },
      {
        to: '/actions',
        label: 'Actions',
        short: 'Actions',
        icon: 'send',
        key: 'a',
        needs: 'read',
      },
    ],
  },
  {
    name: 'Money',
    sections: [
      {
        to: '/money/days',
        label: 'Days',
        short: 'Days',
        icon: 'settlements',
        key: 'd',
        needs: 'read',
        ofAllPartners: true,
      },
      {
        to: '/money/balance',
        label: 'Trial balance',
        short: 'Balance',
        icon: 'catalog',
        key: 'b',
        needs: 'read',
        ofAllPartners: true,
      },
      {
        to: '/money/payouts',
        label: 'Payouts',
        short: 'Payouts',
        icon: 'payouts',
        key: 'p',
        needs: 'read',
      },
      {
        to: '/money/files',
        label: 'ACH files',
        short: 'Files',
        icon: 'requests',
        key: 'f',
        needs: 'read',
        ofAllPartners: true,
        command: 'ach-list',
      },
      {
        to: '/money/reports',
        label: 'Reports',
        short: 'Reports',
        icon: 'activity',
        key: 'r',
        needs: 'read',
      },
    ],
  },
  {
    name: 'Service',
    sections: [
      {
        to: '/partners',
        label: 'Partners',
        short: 'Partners',
        icon: 'tenants',
        key: 'n',
        needs: 'read',
      },
      {
        to: '/terms',
        label: 'Terms',
        short: 'Terms',
        icon: 'catalog',
        key: 't',
        needs: 'read',
      },
      {
        to: '/secrets',
        label: 'Secrets',
        short: 'Secrets',
        icon: 'key',
        key: 's',
        needs: 'read',
      },
      {
        to: '/health',
        label: 'Health',
        short: 'Health',
        icon: 'doctor',
        key: 'e',
        needs: 'read',
      },
    ],
  },
];

/** The navigation for the person's role, with the person's views. */
export function useSectionGroups(): readonly SectionGroup[] {
  const { permissions, partners } = useSession();
  const commands = useQuery(commandsQuery).data ?? [];
  const views = useQuery(viewsQuery).data ?? [];
  const reachable = useReachableGroups(
    groups,
    ({ needs, ofAllPartners, command }) =>
      permissions.includes(needs) &&
      !(ofAllPartners && partners !== null) &&
      (command === undefined || commands.some(({ name }) => name === command)),
  );
  return views.length === 0
    ? reachable
    : [...reachable, { name: 'Views', sections: views.map(asSection) }];
}

function asSection({ name, address }: SavedView): Section {
  const { pathname, search } = new URL(address, location.origin);
  const label = visibleText(name);
  return { to: pathname, search: readSearch(search), label, short: label, icon: 'filter' };
}
