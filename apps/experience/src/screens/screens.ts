import { signal } from '@preact/signals';
import type { ExperienceState } from '@svc/contract';
import type { Step } from '@svc/contract/frame';
import type { ComponentType } from 'preact';
import type { Flow } from '../flow/flow.ts';
import type { SentTo } from '../flow/store.ts';
import { addLaterWords } from '../words/use-words.ts';
import { Offer } from './offer.tsx';

type Screens = Partial<Record<Step, ComponentType<{ state: ExperienceState }>>>;

/** The screens that have loaded. The first load contains the offer, which most tenants see first. */
export const screens = signal<Screens>({ offer: Offer });

/** The screen that asks for the code of a link that came in a message. Null until it has loaded. */
export const messageScreen = signal<ComponentType<{ sentTo: SentTo }> | null>(null);

export async function loadScreens(flow: Flow): Promise<void> {
  const { laterScreens, laterWords, loadRecordsAhead, OpenMessage } = await import(
    './later-screens.ts'
  );
  messageScreen.value = OpenMessage;
  addLaterWords(laterWords);
  screens.value = { ...screens.value, ...laterScreens };
  loadRecordsAhead(flow);
}
