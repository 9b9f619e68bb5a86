'use client';
// Callbacks cannot be passed from a server component, so this file runs in the browser.
import { Environment, openExperienceAndSetToken, SvcWidget } from '@svc/react';

interface RentWidgetProps {
  balance: number;
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
        const { token } = (await response.json()) as { token: string };
        await openExperienceAndSetToken({ token });
      }}
    />
  );
}
