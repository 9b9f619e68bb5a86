// #if next
'use client'; // callbacks cannot be passed from a server component

// #endif
import { Environment, openExperienceAndSetToken, SvcWidget } from '@svc/react';
// #if vite
import { createRoot } from 'react-dom/client';

// #endif

interface RentWidgetProps {
  balance: number; // cents
  pms: string;
  externalId: string;
  signature: string;
  baseUrl: string;
}

export function RentWidget(props: RentWidgetProps) {
  return (
    <SvcWidget
      {...props}
      environment={Environment.Sandbox}
      onEvent={(type, data) => console.log(type, data)}
      onWidgetClickCallback={async () => {
        const response = await fetch('/api/svc/token', { method: 'POST' });
        if (!response.ok) throw new Error(`The token request failed with ${response.status}.`);
        const { token } = await response.json();
        await openExperienceAndSetToken({ token });
      }}
    />
  );
}
// #if vite

const box = document.getElementById('rent');
const response = await fetch('/api/svc/settings');
if (!response.ok) throw new Error(`The settings request failed with ${response.status}.`);
const settings = await response.json();
if (box) createRoot(box).render(<RentWidget {...settings} />);
// #endif
