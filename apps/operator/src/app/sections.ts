import {
  type Section,
  type SectionGroup,
  useReachableGroups,
} from '@svc/ui/console/shell/sections.ts';
import type { Permission } from '../api/session.ts';
import { useSession } from '../session/use-session.ts';

interface PermittedSection extends Section {
  readonly needs: Permission;
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
    name: 'Service',
    sections: [
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

/** The navigation for the person's role. */
export function useSectionGroups(): readonly SectionGroup[] {
  const { permissions } = useSession();
  return useReachableGroups(groups, ({ needs }) => permissions.includes(needs));
}
