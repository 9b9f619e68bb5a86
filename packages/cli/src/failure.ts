import { SvcConnectionError, SvcError, SvcTimeoutError } from '@svc/node';
import { speakCommands } from './speak-commands.ts';

/** The exit codes of every command, as docs/cli.md lists them. */
export const exitCodes = {
  ok: 0,
  /** The service refused, a delivery failed, or a check found a problem. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** The service does not answer. */
  unreachable: 3,
  /** There is no API key, or the service refuses it. */
  credentials: 4,
} as const;

interface FailureOptions {
  /** The second line: what to do. */
  next?: string | undefined;
  exitCode?: number;
  /** For `--json`. */
  code?: string;
}

/** An expected failure. It is printed as one or two lines, without a stack trace. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly next: string | undefined;
  readonly exitCode: number;
  readonly code: string;

  constructor(message: string, options: FailureOptions = {}) {
    super(message);
    this.next = options.next;
    this.exitCode = options.exitCode ?? exitCodes.failed;
    this.code = options.code ?? 'failed';
  }
}

export function usageFailure(message: string, next?: string): Failure {
  return new Failure(message, { next, exitCode: exitCodes.usage, code: 'usage' });
}

/** Where a call went, for its error message. */
interface CallPlace {
  readonly origin: string;
  /** Where the API key comes from, such as `SVC_API_KEY`. */
  readonly keySource: string;
}

/** Turns an error of a call into one or two lines. Other errors are returned unchanged. */
export function explainCallError(error: unknown, place: CallPlace): unknown {
  if (!(error instanceof SvcError)) return error;
  if (error instanceof SvcTimeoutError) {
    return new Failure(`${place.origin} did not answer in time.`, {
      next: 'Check that the service is healthy: its /readyz says why it is not.',
      exitCode: exitCodes.unreachable,
      code: error.code,
    });
  }
  if (error instanceof SvcConnectionError) return explainConnection(error, place);
  if (error.code === 'unexpected_response') {
    return new Failure(`${place.origin} is not an Svc service: it answered ${error.status}.`, {
      next: 'Check the address (--url, SVC_URL or "svc login"), and proxies on the way.',
      exitCode: exitCodes.unreachable,
      code: error.code,
    });
  }
  if (error.status === 401) return explainCredentials(error, place);
  return new Failure(speakCommands(messageOf(error)), { next: adviceFor(error), code: error.code });
}

function explainConnection(error: SvcConnectionError, { origin }: CallPlace): Failure {
  const code = networkCodeOf(error);
  const options = { exitCode: exitCodes.unreachable, code: error.code };
  if (code === 'ECONNREFUSED') {
    return new Failure(`Nothing listens at ${origin}.`, {
      ...options,
      next: 'Start the service, or set another address with --url, SVC_URL or "svc login".',
    });
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new Failure(`The host ${new URL(origin).hostname} has no address (${code}).`, {
      ...options,
      next: 'Check the address (--url, SVC_URL or "svc login") and your network.',
    });
  }
  if (/CERT|SELF_SIGNED|TLS|SSL/.test(code)) {
    return new Failure(`No secure connection to ${origin}: ${code}.`, {
      ...options,
      next: 'For a private certificate authority, set NODE_EXTRA_CA_CERTS to its file.',
    });
  }
  return new Failure(`Cannot reach ${origin}${code && ` (${code})`}.`, {
    ...options,
    next: 'Check the address (--url, SVC_URL or "svc login") and your network.',
  });
}

/** Returns the code of the innermost error, such as `ECONNREFUSED`; empty if none has one. */
export function networkCodeOf(error: unknown): string {
  let code = '';
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('code' in each && typeof each.code === 'string') code = each.code;
  }
  return code;
}

function explainCredentials(error: SvcError, { origin, keySource }: CallPlace): Failure {
  const wrongEnvironment = error.code === 'wrong_environment';
  return new Failure(
    wrongEnvironment
      ? `${origin} is of the other environment than the API key from ${keySource}.`
      : `${origin} refuses the API key from ${keySource}: it is wrong or revoked.`,
    {
      next: wrongEnvironment
        ? 'Use a sandbox key with a sandbox and a production key in production: run "svc login".'
        : 'Run "svc login" with a key that works, or correct SVC_API_KEY.',
      exitCode: exitCodes.credentials,
      code: error.code,
    },
  );
}

function messageOf(error: SvcError): string {
  if (error.errors.length === 0) return error.message;
  const fields = error.errors.slice(0, 3).map(({ param, message }) => `${param} ${message}`);
  return `The service refused: ${fields.join('; ')}.`;
}

function adviceFor(error: SvcError): string | undefined {
  switch (error.code) {
    case 'tenant_not_found':
      return 'Check the id. A new tenant in the sandbox: svc scenario approved <external id>';
    case 'message_not_found':
      return 'Check the id; "svc events tail --last 20 --no-follow" lists the newest.';
    case 'not_found':
    case 'method_not_allowed':
      return 'The service may be older than this command. Update it, or use the CLI of its release.';
    default:
      return error.requestId && (error.status ?? 0) >= 500
        ? `Try again. If it fails again, report the request id ${error.requestId}.`
        : undefined;
  }
}
