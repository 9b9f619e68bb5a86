import type { AttemptView, TestMessage } from '@svc/webhooks';
import type { z } from 'zod';
import type { Ctx } from '../context.ts';
import type { Actor, AnyoneActor, PartnerActor, TenantActor } from '../domain/access/actor.ts';
import type { AuditEntry } from '../domain/index.ts';

/** Whose credentials a route takes. `portal_or_anyone`: a portal session that has ended is no error. */
export type Who = 'key' | 'key_or_portal' | 'portal' | 'portal_or_anyone' | 'tenant' | 'anyone';

/**
 * `command` runs in one writing transaction, `query` reads outside any, `action` does HTTP: its
 * Idempotency-Key is claimed and committed first, and no transaction is open meanwhile.
 */
export type Kind = 'command' | 'query' | 'action';

/** What a verb of the table gets: the domain's context, and what only HTTP knows. */
export interface RouteCtx<A extends Actor = Actor> extends Ctx<A> {
  readonly http: {
    readonly userAgent: string | null;
    readonly origin: string | null;
    /** The JSON body as it was sent; empty without one. */
    readonly bodyText: string;
    /** Null takes it away. */
    portalCookie(secret: string | null, expiresAt?: string): void;
  };
  readonly sendTest: (endpointId: string, message: TestMessage) => Promise<AttemptView>;
}

type ActorOf<W extends Who> = W extends 'tenant'
  ? TenantActor
  : W extends 'anyone'
    ? AnyoneActor
    : W extends 'portal_or_anyone'
      ? PartnerActor | AnyoneActor
      : PartnerActor;
type Schema = z.ZodType | undefined;
type Parsed<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined;

interface Input<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

interface Facts {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/v1`, parameters as `{name}`. */
  readonly path: string;
  readonly kind: Kind;
  readonly summary: string;
  readonly tag: string;
  /** Ours alone: not in the OpenAPI document. */
  readonly internal?: true;
  /** Unix seconds, and the last part of the path to use instead. */
  readonly deprecated?: { readonly since: number; readonly successor: string };
  readonly sandboxOnly?: true;
  /** A page of any origin may ask; the verb itself checks the origin. */
  readonly cors?: true;
  /** Answers a secret: not for a session that may only look. */
  readonly secret?: true;
  /** A write that a session that may only look may do too. */
  readonly readOnlyMay?: true;
  /** Something may have become due although no message was published. */
  readonly wakes?: true;
  /**
   * The verb uses the body's text, not only its values. A repeated Idempotency-Key must then come with
   * the same text, because two texts may parse to the same values, such as large numbers.
   */
  readonly exactBody?: true;
}

/** An answer that is JSON already, and that parsing would alter. Not checked against `output`. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * What the audit log records of a partner's call that succeeded. Each route with which a partner
 * writes, or reads a secret, has one (audit-log.db.test.ts).
 */
export type Audit<Context, Input, Output, Prior> =
  | {
      /** Reads, before the verb runs, what the entry compares with. Locks it if the verb does. */
      readonly prior?: (ctx: Context, input: Input) => Promise<Prior>;
      /** Never a secret, nor a value that could hold one. Null when nothing was changed. */
      readonly entry: (done: Done<Input, Output, Prior>) => AuditEntry | null;
    }
  /** The verb writes the entry, because only it knows what it ended. */
  | 'in_verb'
  | { readonly none: string };

interface Done<Input, Output, Prior> {
  readonly input: Input;
  readonly result: Output;
  readonly prior: Prior;
}

/** Answers a CSV file of this name instead of the envelope; `output` is its text. */
type Csv = (query: Record<string, string>) => string;

interface Row<
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
  /** Before the transaction, because it asks the network. */
  readonly before?: (
    ctx: RouteCtx<ActorOf<W>>,
    input: Input<Parsed<P>, Parsed<Q>, Parsed<B>>,
  ) => Promise<void>;
  readonly verb: (
    ctx: RouteCtx<ActorOf<W>>,
    input: Input<Parsed<P>, Parsed<Q>, Parsed<B>>,
  ) => Promise<(O extends z.ZodType ? z.input<O> : never) | JsonText>;
}

export interface AnyInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** A row of the table, its types erased. */
export interface Route extends Facts {
  readonly who: Who;
  readonly params: z.ZodType | undefined;
  readonly query: z.ZodType | undefined;
  readonly body: z.ZodType | undefined;
  readonly output: z.ZodType;
  readonly csv: Csv | undefined;
  readonly audit: Audit<RouteCtx<PartnerActor>, AnyInput, unknown, unknown> | undefined;
  readonly before: ((ctx: RouteCtx, input: AnyInput) => Promise<void>) | undefined;
  verb(ctx: RouteCtx, input: AnyInput): Promise<unknown>;
}

/** Checks a row's types against each other. */
export function route<
  W extends Who,
  O extends z.ZodType,
  P extends Schema = undefined,
  Q extends Schema = undefined,
  B extends Schema = undefined,
  Prior = undefined,
>(row: Row<W, P, Q, B, O, Prior>): Route {
  return {
    audit: undefined,
    before: undefined,
    csv: undefined,
    params: undefined,
    query: undefined,
    body: undefined,
    ...row,
  } as Route;
}

export function isWrite({ method }: Pick<Route, 'method'>): boolean {
  return method !== 'GET';
}
