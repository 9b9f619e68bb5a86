import type { OperatorFactorsOutput } from '@svc/contract/operator';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import type { Session } from './session.ts';

export type { OperatorFactorsOutput as Factors };

/** The ways in which the person can sign in. */
export const factorsQuery = queryOptions({
  queryKey: ['factors'],
  queryFn: ({ signal }) => call('GET', '/factors', { signal }),
});

/** The person's open sessions. For people who may end others' sessions, everyone's. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await call('GET', '/sessions', { signal })).items,
});

export function endSession(id: string) {
  return call('POST', '/sessions/{id}/end', { params: { id } });
}

/** The ways to sign in: with the company's identity provider, or at the console if there is none. */
export const signInWaysQuery = queryOptions({
  queryKey: ['sign-in-ways'],
  queryFn: ({ signal }) => call('GET', '/sign_in', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/**
 * Goes to the provider, which sends the browser back to this page.
 * @param again asks for a sign-in even with an open session at the provider, for instance to switch accounts
 */
export async function signInAtProvider(again = false): Promise<void> {
  const body = { return_to: currentPage(), again };
  location.assign((await call('POST', '/sign_in/oidc', { body })).url);
}

/** The path to which the provider sends the browser back. */
export const returnPath = '/operator/signed-in';

/**
 * Opens the provider in another tab for a fresh proof, so that this page keeps what was typed. Call it in a
 * click handler, or the browser blocks the tab.
 */
export async function proveAtProvider(): Promise<void> {
  const tab = open('', '_blank');
  if (tab === null) {
    throw new Error(
      'Your browser blocked the new tab. Allow pop-ups for this page, and try again.',
    );
  }
  try {
    const body = { return_to: returnPath };
    tab.location.replace((await call('POST', '/session/prove/oidc', { body })).url);
  } catch (error) {
    tab.close();
    throw error;
  }
}

const proofChannelName = 'operator:proofs';

/** Calls `run` when the person has given a fresh proof in another tab. Returns a function that stops listening. */
export function onProvenInTab(run: () => void): () => void {
  // The provider's pages cut the tab off from its opener, so the tabs have no window handles to post messages to.
  const channel = new BroadcastChannel(proofChannelName);
  channel.onmessage = run;
  return () => channel.close();
}

function currentPage(): string {
  return location.pathname + location.search;
}

/** Completes a visit to the provider. A sign-in returns to its page; a proof notifies the tab that waits for it. */
export function finishVisitQuery(query: string) {
  return queryOptions({
    // The provider's response works once, so it is never sent again.
    queryKey: ['visit', query],
    queryFn: async () => {
      const { return_to } = await call('POST', '/sign_in/oidc/finish', { body: { query } });
      if (return_to !== returnPath) location.replace(return_to);
      else notifyProven();
      return return_to;
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

function notifyProven(): void {
  const channel = new BroadcastChannel(proofChannelName);
  channel.postMessage(null);
  channel.close();
  // Some browsers do not close a tab that has visited another site.
  close();
}

export async function signInWithPasskey(): Promise<Session> {
  const { options } = await call('POST', '/sign_in/passkey/options');
  return call('POST', '/sign_in/passkey', { body: { response: await usePasskey(options) } });
}

export function signInWithPassword(body: {
  name: string;
  password: string;
  code: string;
}): Promise<Session> {
  return call('POST', '/sign_in/password', { body });
}

export function signInWithRecoveryCode(body: { name: string; code: string }): Promise<Session> {
  return call('POST', '/sign_in/recovery', { body });
}

/** Creates a passkey. Returns the recovery codes, or null if the person has some already. */
export async function enrollPasskey(): Promise<readonly string[] | null> {
  const { options } = await call('POST', '/factors/passkey/options');
  const { startRegistration } = await import('@simplewebauthn/browser');
  const response = await explainPasskeyErrors(startRegistration({ optionsJSON: options as never }));
  return (await call('POST', '/factors/passkey', { body: { response } as never })).recovery_codes;
}

export function removePasskey(id: string) {
  return call('POST', '/factors/passkeys/{id}/remove', { params: { id } });
}

/** Requests a new secret for an authenticator app, as text and as the `otpauth:` address of its QR code. */
export const getAuthenticator = () => call('POST', '/factors/password/options');

export const authenticatorQuery = queryOptions({
  queryKey: ['authenticator'],
  queryFn: getAuthenticator,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
});

export async function enrollPassword(body: {
  password: string;
  secret: string;
  code: string;
}): Promise<readonly string[] | null> {
  return (await call('POST', '/factors/password', { body })).recovery_codes;
}

export async function proveWithPasskey() {
  const { options } = await call('POST', '/session/prove/options');
  return call('POST', '/session/prove', { body: { passkey: await usePasskey(options) } });
}

export function proveWithPassword(body: { password: string; code: string }) {
  return call('POST', '/session/prove', { body });
}

async function usePasskey(options: object) {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return (await explainPasskeyErrors(
    startAuthentication({ optionsJSON: options as never }),
  )) as never;
}

/** Replaces a browser's error about passkeys, which is written for programmers. */
async function explainPasskeyErrors<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    console.info('The browser did not give a passkey.', error);
    throw new Error(
      name === 'InvalidStateError'
        ? 'This device has a passkey for you already.'
        : 'No passkey was used. Try again, and confirm on your device.',
    );
  }
}
