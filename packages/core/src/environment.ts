declare const SVC_SANDBOX_ORIGIN: string | undefined;
declare const SVC_PRODUCTION_ORIGIN: string | undefined;

/** The deployment of the service that the widget talks to. The plain strings are accepted too. */
export const Environment = Object.freeze({
  Sandbox: 'sandbox',
  Production: 'production',
} as const);
export type Environment = (typeof Environment)[keyof typeof Environment];

/** Returns the origin that the build was given for an environment; undefined if it was given none. */
export function builtInOrigin(environment: unknown): string | undefined {
  if (environment === 'production') {
    return typeof SVC_PRODUCTION_ORIGIN === 'undefined' ? undefined : SVC_PRODUCTION_ORIGIN;
  }
  return typeof SVC_SANDBOX_ORIGIN === 'undefined' ? 'http://localhost:4000' : SVC_SANDBOX_ORIGIN;
}
