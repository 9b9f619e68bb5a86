import type { ExperienceState } from '@svc/contract';
import type { Step } from '@svc/contract/frame';
import type { ComponentType } from 'preact';
import { signal } from '../signal.ts';
import { Blocked } from './blocked.tsx';
import { Offer } from './offer.tsx';

type Screens = Partial<Record<Step, ComponentType<{ state: ExperienceState }>>>;

/** The screens that are here: two that a tenant may see first, the others right behind them. */
export const screens = signal<Screens>({ offer: Offer, blocked: Blocked });

export async function loadScreens(): Promise<void> {
  const { laterScreens } = await import('./later-screens.ts');
  screens.value = { ...screens.value, ...laterScreens };
}
