/** Line icons on a 24 px grid. They are always next to text, so they are hidden from screen readers. */
const paths = {
  back: 'M15 5l-7 7 7 7',
  close: 'M6 6l12 12 M18 6L6 18',
  next: 'M9 5l7 7-7 7',
  download: 'M12 4v11 M7 10.5l5 5 5-5 M5 20h14',
  print:
    'M7 9V4h10v5 M7 18H5a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1h14a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-2 M7 15h10v5H7z',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14z M16 16l4.5 4.5',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  alert: 'M12 6v7 M12 17h.01',
  clock: 'M12 7v5l3 2 M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  pause: 'M9 6v12 M15 6v12',
  offline:
    'M4 4l16 16 M8.5 15.5a5 5 0 0 1 7 0 M5 12a10 10 0 0 1 4-2.4 M19 12a10 10 0 0 0-5.5-2.9 M12 19h.01',
  calendar:
    'M4 9h16 M8 3v4 M16 3v4 M5 5h14a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1z',
  window: 'M4 6a1 1 0 0 1 1-1h14a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1z M4 9h16',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

/** An icon in a circle, shown above a title. */
export function Emblem({ name, tone = 'accent' }: { name: IconName; tone?: 'accent' | 'plain' }) {
  return (
    <span class={`emblem emblem--${tone}`}>
      <Icon name={name} />
    </span>
  );
}

export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 28 28" aria-hidden="true">
      <rect class="logo__background" width="28" height="28" rx="7" />
      <rect class="logo__bar" x="7" y="7.5" width="14" height="3.5" rx="1.75" />
      <rect class="logo__bar" x="7" y="13" width="9" height="3.5" rx="1.75" />
      <rect class="logo__bar" x="7" y="18.5" width="4.5" height="3.5" rx="1.75" />
    </svg>
  );
}
