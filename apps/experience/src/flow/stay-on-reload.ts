import { keepSession } from '../frame/take-link-secret.ts';
import { type Flow, goBack } from './flow.ts';

/** Keeps the session of a link through reloads, and handles the phone's back button. */
export function stayOnReload(flow: Flow, session: string): void {
  keepSession(history, session, flow.store.isHosted);
  addEventListener('popstate', () => {
    history.pushState(history.state, '');
    goBack(flow);
  });
}
