declare const SVC_CLI_VERSION: string | undefined;

/** The version in package.json, which the build inserts. */
export const version = typeof SVC_CLI_VERSION === 'string' ? SVC_CLI_VERSION : '0.0.0';
