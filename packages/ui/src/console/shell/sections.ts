import { useRouter } from '@tanstack/react-router';
import type { IconName } from '../parts/icon.tsx';

export interface Section {
  readonly to: string;
  readonly label: string;
  /** The label used when the navigation is narrow. */
  readonly short: string;
  readonly icon: IconName;
  /** The second key of its shortcut, after `g`. A view that a person saved has none. */
  readonly key?: string;
  /** The filters of a saved view. */
  readonly search?: Readonly<Record<string, string>>;
}

export interface SectionGroup<Entry extends Section = Section> {
  readonly name: string;
  readonly sections: readonly Entry[];
}

/** The groups of the navigation: only pages that the session may see and that the router has. */
export function useReachableGroups<Entry extends Section>(
  groups: readonly SectionGroup<Entry>[],
  maySee: (section: Entry) => boolean,
): readonly SectionGroup<Entry>[] {
  const { routesByPath } = useRouter();
  return groups
    .map((group) => ({
      ...group,
      sections: group.sections.filter((section) => section.to in routesByPath && maySee(section)),
    }))
    .filter(({ sections }) => sections.length > 0);
}
