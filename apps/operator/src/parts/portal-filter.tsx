import { TextFilter } from '@svc/ui/console/filters/text-filter.tsx';
import { usePortalNames } from '../api/partners.ts';

/** A filter by one portal, which suggests the portals that the person may see. */
export function PortalFilter(props: {
  value: string | undefined;
  onChange: (portal: string | undefined) => void;
}) {
  const known = usePortalNames();
  return (
    <TextFilter
      {...props}
      label="Portal"
      input="Name of the portal"
      submit="Show"
      maxLength={63}
      known={known}
    />
  );
}
