import {
  type ApiMethod,
  type ApiPath,
  type ApiRoutes,
  type ErrorCode,
  field,
  type KeyScope,
  type PortalView,
} from '@svc/contract';
import type { Permission } from '@svc/contract/operator';
import type { AttemptView, TestMessage } from '@svc/webhooks';
import { z } from 'zod';
import type { Ctx, RequestSteps, Service } from '../context.ts';
import type {
  Actor,
  AnyoneActor,
  OperatorActor,
  PartnerActor,
  TenantActor,
} from '../domain/access/actor.ts';
import type { AuditEntry } from '../domain/audit/record.ts';
import type { Measurements } from '../domain/back-office/health.ts';
import type { CertificationCtx } from '../domain/certification/stage.ts';
import type { Outward } from '../domain/doctor/run-doctor.ts';
import type { RepeatCall } from '../domain/forks/play-recording.ts';
import type { Waiting } from '../operator/administer.ts';
import type { OperatorRequest } from '../operator/commands/index.ts';
import type { Operator } from '../operator/record-by-operator.ts';
import type { Manner, RunOnceResult } from '../operator/run-once.ts';

/**
 * The credentials that a route accepts. With `portal_or_anyone`, an expired console session is not an error.
 * `operator` is for routes below `/operator/v1` (operator/operator-route.ts).
 */
export type Who =
  | 'key'
  | 'key_or_portal'
  | 'portal'
  | 'portal_or_anyone'
  | 'tenant'
  | 'operator'
  | 'anyone';

/**
 * `command` runs in one writing transaction, `query` reads outside any, `action` does HTTP: its
 * Idempotency-Key is claimed and committed first, and no transaction is open during it. `steps` runs
 * several writing transactions, with calls to the processor between them. None of them has a place of the
 * load limit while it waits for other machines.
 */
type Kind = 'command' | 'query' | 'action' | 'steps';

/** Calls that take long. Those of one group share the places that a partner has (edge/partner-places.ts). */
export type PlaceGroup =
  | 'doctor'
  | 'certification'
  | 'simulation'
  | 'outside'
  | 'upload'
  | 'document';

/** The types of files that can be uploaded. */
export const uploadTypes = ['image/png', 'font/woff2', 'application/octet-stream'] as const;
export type UploadType = (typeof uploadTypes)[number];

/** The context of a verb: the domain's context and the HTTP details that some verbs need. */
export interface RouteCtx<A extends Actor = Actor> extends Ctx<A> {
  readonly http: {
    readonly userAgent: string | null;
    readonly origin: string | null;
    /** The raw text of the JSON body; empty without a body. */
    readonly bodyText: string;
    /** The operator's reason for sending this file. In the header `Svc-Reason`, because addresses are logged. */
    readonly reason: string | undefined;
    /** Sets the session cookie of the partner's or the operator's console; null removes it. */
    sessionCookie(secret: string | null, expiresAt?: string): void;
    /** The secret of this browser's visit to the provider of the operator's console; null without one. */
    readonly visitSecret: string | null;
    /** Sets the cookie of such a visit; null removes it. */
    visitCookie(secret: string, expiresAt: string): void;
  };
  /** For a route of kind `steps`. Each step has a separate transaction, and `tx` only reads. */
  readonly steps: RequestSteps<A>;
  /** Returns the steps with another service, such as one that publishes in a different way. */
  readonly stepsWith: (service: Service) => RequestSteps<A>;
  /** Writes the calls that this process has logged so far, so that the caller can read its own. */
  readonly writeRequestLog: () => Promise<void>;
  /** Returns the metrics of the database's contents, as of the last seconds. */
  readonly measure: () => Promise<Measurements>;
  /** Requests that leave the service and are stored nowhere. */
  readonly outward: Outward & CertificationCtx['outward'];
  /** Runs a command of the operator in its own transactions, with its audit entry. @throws Refusal */
  readonly runOperatorCommand: (
    request: OperatorRequest,
    by: Operator,
    manner: Manner,
  ) => Promise<RunOnceResult | Waiting>;
  /** Runs a route whose calls are recorded, as another caller and in these steps. */
  readonly repeatCall: RepeatCall;
  readonly sendTest: (endpointId: string, message: TestMessage) => Promise<AttemptView>;
}

type ActorOf<W extends Who> = W extends 'tenant'
  ? TenantActor
  : W extends 'operator'
    ? OperatorActor
    : W extends 'anyone'
      ? AnyoneActor
      : W extends 'portal_or_anyone'
        ? PartnerActor | AnyoneActor
        : PartnerActor;
export type Schema = z.ZodType | undefined;
type Parsed<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined;

interface Input<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

/** A route of the partner API as the OpenAPI document and the reference describe it. */
interface RouteDocs {
  /** A verb and a noun, such as `createRefund`. Never changes: generated clients name functions after it. */
  readonly id: string;
  readonly description: string;
  /** Codes that its verb refuses with. Those that follow from credentials, input and idempotency are added. */
  readonly errors?: readonly ErrorCode[];
  /** The call in `@svc/node`; `{body}`, `{query}` and the names of path parameters are replaced by examples. */
  readonly node?: string;
  /** The example input. By default, it is composed from the examples of the fields. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** More examples of the body, by the name of what they show. */
  readonly otherBodies?: Readonly<
    Record<string, { readonly summary: string; readonly value: unknown }>
  >;
}

interface Facts {
  readonly method: ApiMethod;
  /** Below `/v1` or `/operator/v1`, parameters as `{name}`. */
  readonly path: string;
  readonly kind: Kind;
  /** Milliseconds that each statement of a query may take, if the limit of all others is too short. */
  readonly timeoutMs?: number;
  /** Short, without a period: a heading of the reference. */
  readonly summary: string;
  /** Each route that is not internal has it (openapi.test.ts). */
  readonly docs?: RouteDocs;
  readonly tag: string;
  /** Set for routes of our own front ends, which are not in the OpenAPI document. */
  readonly internal?: true;
  /** Unix seconds, and the last part of the path to use instead. */
  readonly deprecated?: { readonly since: number; readonly successor: string };
  readonly sandboxOnly?: true;
  /** Pages of any origin may call it; the verb checks the origin. */
  readonly cors?: true;
  /** Returns a secret, so read-only sessions may not call it. */
  readonly secret?: true;
  /** Shows or changes an API key or a signing secret, so a console session needs a link opened lately. */
  readonly freshLink?: true;
  /** The permission that an operator's role must have. Each route for operators names one. */
  readonly needs?: Permission;
  /** Requires an operator to have signed in, or proved their identity again, in the last 5 minutes. */
  readonly freshProof?: true;
  /** Also allowed for an operator who was let in and has not enrolled a passkey or a password yet. */
  readonly whileEnrolling?: true;
  /**
   * The scope that an API key needs for it. Each route for keys names one. A key with the scope `read` may
   * also call each query that shows no secret (authenticate.ts).
   */
  readonly keyScope?: KeyScope | 'any';
  /** The part of the console that a console session needs for it. Default: `webhooks`. */
  readonly scope?: 'admin';
  /** The views of the console, in a frame of the partner's page, that it is part of. Default: none. */
  readonly views?: readonly PortalView[];
  /** Default: `outside`, for a route that uses the network. */
  readonly group?: PlaceGroup;
  /** A call that ends API keys, so the process drops those it has cached. */
  readonly endsKeys?: true;
  /** Set for a write that read-only sessions may make. */
  readonly readOnlyMay?: true;
  /** About one tenant: the sandbox records its calls, so that a copy of the tenant can repeat them (domain/forks). */
  readonly recorded?: true;
  /** Deliveries may become due without a published message, so the engine is woken. */
  readonly wakes?: true;
  /** The body is a file of this type instead of JSON; `body` is its schema. */
  readonly upload?: UploadType;
  /** The most bytes that file may have, if more than a JSON body. Only one such call runs at a time. */
  readonly largestUpload?: number;
  /** Browsers save the answer as a file of this name. */
  readonly download?: string;
  /**
   * The verb uses the raw text of the body. A repeated Idempotency-Key must then come with the same
   * text, because different texts can parse to the same values, such as large numbers.
   */
  readonly exactBody?: true;
}

/** A result that is JSON text already and that parsing would alter. It is not checked against `output`. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A file that a `query` sends while it is generated. It is not checked against `output`. */
export class TextStream {
  readonly chunks: AsyncIterable<string>;

  constructor(chunks: AsyncIterable<string>) {
    this.chunks = chunks;
  }
}

/** A file instead of JSON, for a route without an Idempotency-Key. It is not checked against `output`. */
export class FileBytes {
  readonly bytes: Buffer;
  readonly type: string;
  /** The name under which browsers save it. */
  readonly name: string;

  constructor({ bytes, type, name }: Pick<FileBytes, 'bytes' | 'type' | 'name'>) {
    this.bytes = bytes;
    this.type = type;
    this.name = name;
  }
}

/**
 * The audit entry of a successful call by a partner. Each route with which a partner writes, or reads
 * a secret, declares one (audit-log.db.test.ts).
 */
type Audit<Context, Input, Output, Prior> =
  | {
      /** Runs before the verb and reads the state to compare with, with the lock that the verb takes. */
      readonly prior?: (ctx: Context, input: Input) => Promise<Prior>;
      /** Must not contain a secret or a value that could hold one. Null if nothing changed. */
      readonly entry: (done: Done<Input, Output, Prior>) => AuditEntry | null;
    }
  /** The verb itself writes the entry, because only it knows what it changed. */
  | 'in_verb'
  | { readonly none: string };

interface Done<Input, Output, Prior> {
  readonly input: Input;
  readonly result: Output;
  readonly prior: Prior;
}

/** Returns the name of a CSV file, which is sent instead of the envelope; `output` is its text. */
type Csv = (input: Readonly<Record<string, string>>) => string;

/** For a result with a secret that is shown once. A repeated Idempotency-Key gets it without the secret. */
interface ShownOnce<Context, Output> {
  /** Returns what to store under the Idempotency-Key: the result without its secret. */
  readonly withoutSecret: (result: Output) => Output;
  /** Returns the answer to a repeated call, from what was stored and the present state. */
  readonly repeat: (ctx: Context, stored: Output) => Promise<Output>;
}

export interface Row<
  W extends Who,
  P extends Schema,
  Q extends Schema,
  B extends Schema,
  O,
  Prior = undefined,
> extends Facts {
  readonly who: W;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly output: O;
  readonly csv?: Csv;
  readonly audit?: Audit<
    RouteCtx<PartnerActor>,
    Input<Parsed<P>, Parsed<Q>, Parsed<B>>,
    O extends z.ZodType ? z.input<O> : never,
    Prior
  >;
  readonly shownOnce?: ShownOnce<RouteCtx<ActorOf<W>>, O extends z.ZodType ? z.output<O> : never>;
  /** Runs before the transaction, because it uses the network or takes long. */
  readonly before?: (
    ctx: RouteCtx<ActorOf<W>>,
    input: Input<Parsed<P>, Parsed<Q>, Parsed<B>>,
  ) => Promise<void>;
  readonly verb: (
    ctx: RouteCtx<ActorOf<W>>,
    input: Input<Parsed<P>, Parsed<Q>, Parsed<B>>,
  ) => Promise<(O extends z.ZodType ? z.input<O> : never) | FileBytes | JsonText | TextStream>;
}

export interface AnyInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** A route without its type parameters. */
export interface Route extends Facts {
  readonly who: Who;
  readonly params: z.ZodType | undefined;
  readonly query: z.ZodType | undefined;
  readonly body: z.ZodType | undefined;
  readonly output: z.ZodType;
  readonly csv: Csv | undefined;
  readonly audit: Audit<RouteCtx<PartnerActor>, AnyInput, unknown, unknown> | undefined;
  readonly shownOnce: ShownOnce<RouteCtx, unknown> | undefined;
  readonly before: ((ctx: RouteCtx, input: AnyInput) => Promise<void>) | undefined;
  verb(ctx: RouteCtx, input: AnyInput): Promise<unknown>;
}

/** The method, path and schemas of a route as the contract declares them. */
type Declared<Method extends ApiMethod, Path extends ApiPath<Method>> = {
  readonly method: Method;
  readonly path: Path;
} & DeclaredSchemas<ApiRoutes[Method][Path]>;

export type DeclaredSchemas<R> = (R extends { output: infer O } ? { readonly output: O } : never) &
  (R extends { query: infer Q } ? { readonly query: Q } : { readonly query?: undefined }) &
  (R extends { body: infer B } | { file: infer B }
    ? { readonly body: B }
    : { readonly body?: undefined });

type WithKeyScope<W extends Who> = W extends 'key' | 'key_or_portal'
  ? Required<Pick<Facts, 'keyScope'>>
  : { readonly keyScope?: never };

/**
 * Declares a route. The compiler checks its schemas against the contract's `ApiRoutes`, and its schemas,
 * verb and audit entry against each other.
 */
export function route<
  W extends Who,
  O extends z.ZodType,
  P extends Schema = undefined,
  Q extends Schema = undefined,
  B extends Schema = undefined,
  Prior = undefined,
  Method extends ApiMethod = ApiMethod,
  Path extends ApiPath<Method> = ApiPath<Method>,
>(row: Row<W, P, Q, B, O, Prior> & Declared<Method, Path> & WithKeyScope<W>): Route {
  return {
    audit: undefined,
    shownOnce: undefined,
    before: undefined,
    csv: undefined,
    params: undefined,
    query: undefined,
    body: undefined,
    ...row,
  } as Route;
}

/** Path parameters of a route about one resource. */
export const byId = z.strictObject({ id: z.string().min(1).max(255) });

/** `byId` with a description and an example for the reference. */
export function byIdOf(description: string, example: string): typeof byId {
  return z.strictObject({ id: field(byId.shape.id, description, example) });
}

export function isWrite({ method }: Pick<Route, 'method'>): boolean {
  return method !== 'GET';
}
