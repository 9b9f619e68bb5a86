import type { ReactNode } from 'react';

/** The logo of Maple Residents. */
export function LeafMark() {
  return (
    <svg className="leaf" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" fill="currentColor" />
      <path
        className="leaf__blade"
        d="M16 5.500l2.300 4.300 2.900-.9-.7 4.800 5-1-1.500 3.100 2.500 1.900-5.700 3.700.6 2.300-4.600-.7V26.500h-1.600V23l-4.600.7.6-2.300L5.500 17.700 8 15.800l-1.500-3.100 5 1-.7-4.800 2.900.9z"
      />
    </svg>
  );
}

export const HomeIcon = () => (
  <Icon>
    <path d="M4 11.500 12 5l8 6.500M6 10v9h12v-9M10 19v-5h4v5" />
  </Icon>
);
export const PaymentsIcon = () => (
  <Icon>
    <path d="M4 7h16v11H4zM4 11h16M7 15h4" />
  </Icon>
);
export const LeaseIcon = () => (
  <Icon>
    <path d="M7 4h7l4 4v12H7zM14 4v4h4M10 12h5M10 15.500h5" />
  </Icon>
);
export const PulseIcon = () => (
  <Icon>
    <path d="M3 12h4l3-7 4 14 3-7h4" />
  </Icon>
);
export const SunIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="3.500" />
    <path d="M12 4V2.500M12 21.500V20M4 12H2.500M21.500 12H20M6.300 6.300 5.300 5.300M18.700 18.700l-1-1M6.300 17.700l-1 1M18.700 5.300l-1 1" />
  </Icon>
);
export const MoonIcon = () => (
  <Icon>
    <path d="M19 14.500A7.500 7.500 0 0 1 9.500 5 7.500 7.500 0 1 0 19 14.500z" />
  </Icon>
);
export const PhoneIcon = () => (
  <Icon>
    <path d="M8 3h8v18H8zM11 18.500h2" />
  </Icon>
);
export const DesktopIcon = () => (
  <Icon>
    <path d="M3 5h18v11H3zM9 20h6M12 16v4" />
  </Icon>
);
export const MenuIcon = () => (
  <Icon>
    <path d="M4 7h16M4 12h16M4 17h10" />
  </Icon>
);
export const NextIcon = () => (
  <Icon>
    <path d="M5 12h14M13 6l6 6-6 6" />
  </Icon>
);
export const CloseIcon = () => (
  <Icon>
    <path d="M6 6l12 12M18 6 6 18" />
  </Icon>
);

function Icon({ children }: { children: ReactNode }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      {children}
    </svg>
  );
}
