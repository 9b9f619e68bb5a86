/** A line icon on a 16 px grid. Decorative: always pair it with text or a label. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg viewBox="0 0 16 16" width={size} height={size} className="icon" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

export type IconName = keyof typeof paths;

const paths = {
  home: 'M2.5 7.5L8 2.5l5.5 5M4 6.5v7h8v-7M6.5 13.5v-4h3v4',
  endpoints: 'M9.5 2.5h3a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-3M2 8h7.5M6.5 5l3 3-3 3',
  messages: 'M2 3.5h12v9H2zM2 4l6 5 6-5',
  catalog: 'M3 2.5h9a1 1 0 0 1 1 1v10H4a1 1 0 0 1-1-1zM3 11.5h10M6 5.5h4M6 8h4',
  testing: 'M6 2h4M7 2v4l-4 6.5a1 1 0 0 0 .9 1.5h8.2a1 1 0 0 0 .9-1.5L9 6V2M5 10h6',
  debugger: 'M8 1.5l5 2v4c0 3.2-2.1 5.7-5 7-2.9-1.3-5-3.8-5-7v-4zM5.8 8l1.6 1.6L10.4 6.4',
  appearance:
    'M8 2a6 6 0 1 0 0 12c1.2 0 1.6-.9 1.2-1.8-.5-1 .2-2 1.3-2H12a2 2 0 0 0 2-2A6 6 0 0 0 8 2zM5 8h.01M7 5h.01M10.5 5.5h.01',
  replay: 'M3 3v4h4M3.3 7a5.2 5.2 0 1 1-.4 3M6.8 6.3v3.9l3.2-2z',
  activity: 'M2 13.5h12M3.5 11V8M6.5 11V4.5M9.5 11V7M12.5 11V3',
  deliveries: 'M2 4.5h6M2 8h4M2 11.5h6M9.5 10.8l1.8 1.8 3.2-4.2',
  requests: 'M2.5 2.5h11v11h-11zM2.5 5.5h11M5 8l1.5 1.5L5 11M8 11h3',
  doctor: 'M2 8h3l1.5-4 3 8L11 8h3',
  certify:
    'M8 1.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM5 9.4L4 14.5l4-2 4 2-1-5.1M6.2 6l1.3 1.3 2.4-2.5',
  key: 'M5 7a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM6.8 7.7L12.5 2M10.5 4l2 2',
  origins:
    'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM2 8h12M8 2c2 1.7 3 3.7 3 6s-1 4.3-3 6c-2-1.7-3-3.7-3-6s1-4.3 3-6z',
  tenants:
    'M6 3a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM2 13a4 4 0 0 1 8 0M10.5 3.3a2 2 0 0 1 0 3.5M11.5 9.3A4 4 0 0 1 14 13',
  settlements: 'M2 6l6-3.5L14 6zM3.5 6v6M6.5 6v6M9.5 6v6M12.5 6v6M2 13h12',
  payouts: 'M1.5 4.5h13v7h-13zM8 6.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6zM4 8h.01M12 8h.01',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.5 10.5l3 3',
  plus: 'M8 3v10M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 6a2 2 0 1 1 0 4 2 2 0 0 1 0-4z',
  hide: 'M2 2l12 12M6.5 3.7A6 6 0 0 1 8 3.5C12 3.5 14.5 8 14.5 8a11 11 0 0 1-1.7 2.2M10.2 11.9A6 6 0 0 1 8 12.5C4 12.5 1.5 8 1.5 8a11 11 0 0 1 2.7-3',
  rotate: 'M13 3v3.5H9.5M3 13V9.5h3.5M12.6 6.5A5 5 0 0 0 3.8 5M3.4 9.5a5 5 0 0 0 8.8 1.5',
  send: 'M2 8l12-5.5-4 11-2.5-4.5zM7.5 9L14 2.5',
  back: 'M7 3L2.5 8 7 13M3 8h10.5',
  more: 'M3.2 7.4a.6.6 0 1 1 0 1.2.6.6 0 0 1 0-1.2zM8 7.4a.6.6 0 1 1 0 1.2.6.6 0 0 1 0-1.2zM12.8 7.4a.6.6 0 1 1 0 1.2.6.6 0 0 1 0-1.2z',
  down: 'M3.5 6L8 10.5 12.5 6',
  wrap: 'M2 4h12M2 8h9.5a2.25 2.25 0 0 1 0 4.5H8M10 10.5l-2 2 2 2M2 12h3',
  sun: 'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  contrast: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 2v12M10 3v10M12 4.5v7',
  moon: 'M13.5 9.5A6 6 0 1 1 6.5 2.5a4.8 4.8 0 0 0 7 7z',
  system: 'M2 3h12v8H2zM6 14h4M8 11v3',
  user: 'M8 2.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM3 13.5a5 5 0 0 1 10 0',
  lock: 'M4 7.5h8v6H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  filter: 'M2 4h12M4.5 8h7M7 12h2',
  clock: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 4.5V8l2.5 1.5',
} as const;
