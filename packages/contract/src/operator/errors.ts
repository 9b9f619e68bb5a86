import type { CatalogEntry } from '../errors.ts';

/** The error codes that only the operator's API has, in addition to those of `errorCatalog`. */
export const operatorErrorCatalog = {
  permission_required: {
    status: 403,
    meaning: 'Your role does not allow this.',
    fix: 'Ask an admin to do it, or to change your role.',
  },
  enrollment_required: {
    status: 403,
    meaning: 'You are let in, and have no way to sign in again.',
    fix: 'Enroll a passkey, or a password with an authenticator app, first.',
  },
  fresh_proof_required: {
    status: 403,
    meaning: 'This needs a proof of who you are from the last 5 minutes.',
    fix: 'Prove it with POST /operator/v1/session/prove, and repeat the request.',
  },
  not_invited: {
    status: 403,
    meaning: 'Your provider knows you, and you have not been invited to the console.',
    fix: 'Ask an admin of the console to run "svc-admin operator invite" with your e-mail address.',
  },
  provider_unavailable: {
    status: 503,
    meaning: 'The provider at which people sign in does not answer.',
    fix: 'Try again in a minute.',
  },
  own_request: {
    status: 403,
    meaning: 'You have requested this yourself.',
    fix: 'Ask another person to approve it.',
  },
  approval_required: {
    status: 403,
    meaning: 'A second person must approve this. Nothing is done yet.',
    fix: 'Ask another person to approve the request.',
  },
} as const satisfies Record<string, CatalogEntry>;

export type OperatorErrorCode = keyof typeof operatorErrorCatalog;
