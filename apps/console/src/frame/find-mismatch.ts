import type { ConsoleInitMessage } from '@svc/contract/frame';
import type { Session } from '../api/session.ts';

/** Says how the token differs from what the component shows; undefined if it does not. */
export function findMismatch(
  shown: Pick<ConsoleInitMessage, 'view' | 'externalId'> & { readonly pms: string },
  token: Pick<Session, 'pms' | 'view' | 'external_id'>,
): string | undefined {
  if (token.pms !== shown.pms) {
    return `The token belongs to the portal ${token.pms}, and the component has pms="${shown.pms}".`;
  }
  if (token.view !== shown.view) {
    return `The token opens the view ${token.view}, and the component shows ${shown.view}. Create it with view: "${shown.view}".`;
  }
  if (token.external_id !== shown.externalId) {
    return 'The token shows another tenant than the component. Create it with the same external_id.';
  }
  return undefined;
}
