import type { Option } from '@svc/ui/console/filters/menu-filter.tsx';

/** The classes of an attempt's HTTP status, as filter options. */
export const statusClassOptions: readonly Option[] = [
  { value: '2xx', label: '2xx: delivered' },
  { value: '3xx', label: '3xx: redirect' },
  { value: '4xx', label: '4xx: rejected' },
  { value: '5xx', label: '5xx: server error' },
  { value: 'none', label: 'No response' },
];

/** The reasons why an attempt failed, as filter options. */
export const errorClassOptions: readonly Option[] = [
  { value: 'status', label: 'Status other than 2xx' },
  { value: 'timeout', label: 'Timed out' },
  { value: 'connect', label: 'No connection' },
  { value: 'reset', label: 'Connection closed' },
  { value: 'dns', label: 'Name not found' },
  { value: 'tls', label: 'TLS failed' },
  { value: 'protocol', label: 'Not HTTP' },
  { value: 'blocked_address', label: 'Address blocked' },
];
