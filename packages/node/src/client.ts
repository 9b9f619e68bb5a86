import type {
  AllowedOriginsOutput,
  ApiKeyOutput,
  AppearanceInput,
  AppearanceOutput,
  CreateApiKeyInput,
  CreatedApiKeyOutput,
  DebitAccountOutput,
  DoctorOutput,
  ExperienceResult,
  GoLiveOutput,
  ListedTenantOutput,
  PartnerOutput,
  PayoutOutput,
  PayoutStatement,
  PlanOutput,
  PortalInfoOutput,
  PortalTokenOutput,
  RefundOutput,
  RequestDetailOutput,
  RequestOutput,
  RevokedApiKeyOutput,
  RotatedApiKeyOutput,
  SettlementOutput,
  SettlementReport,
  TenantOutput,
  WebhookEvent,
} from '@svc/contract';
import { certificationCalls } from './certifications.ts';
import type { RequestSpec } from './http/attempt.ts';
import { type List, listOf } from './http/pages.ts';
import { type Call, type CallOptions, request, requestRoute } from './http/request.ts';
import type { Transport } from './http/transport.ts';
import { requireApiKey } from './sign-widget.ts';
import { simulationCalls } from './simulation.ts';
import type {
  CreatePortalToken,
  CreateRefund,
  EventFilter,
  ManualGoLiveItem,
  PayoutFilter,
  PortalInfo,
  RequestFilter,
  ReturnPayout,
  ReturnSettlement,
  RunDoctor,
  SettlementFilter,
  TenantFilter,
  UpdatePayout,
  UpdateSettlement,
} from './types.ts';
import { webhookCalls } from './webhooks.ts';

export interface SvcClientOptions {
  /** Your API key. Never use it in a browser. */
  apiKey: string;
  /** `<origin>/v1`, or only the origin. */
  baseUrl: string;
  /** Default: the global `fetch`. */
  fetch?: typeof fetch;
  /** Timeout of each attempt in milliseconds. Default: 30,000. */
  timeoutMs?: number;
  /** Retries after connection failures, timeouts, 408, 429, 500 and 502 to 504. Default: 2. */
  maxRetries?: number;
  /** Limit for a call including its retries and pauses, in milliseconds. Default: 120,000. */
  deadlineMs?: number;
}

/**
 * The partner API with one method for each route. Request and response bodies are those of the OpenAPI
 * document (snake_case; money in integer cents; dates `YYYY-MM-DD`), without the envelope. Every POST
 * and PATCH has an Idempotency-Key. Methods throw `SvcError`.
 */
export class SvcClient {
  readonly #transport: Transport;
  readonly #call: Call = (spec, options) => requestRoute(this.#transport, spec, options);
  readonly simulation = simulationCalls(this.#call);
  readonly webhooks = webhookCalls(this.#call);
  readonly certifications = certificationCalls(this.#call);

  constructor(options: SvcClientOptions) {
    this.#transport = transportOf(options);
  }

  /** Sends your data about the tenant and their charges. Returns a tenant token, valid for 60 minutes. */
  portalInfo(
    externalId: string,
    body: PortalInfo,
    options: CallOptions & { dryRun?: boolean } = {},
  ): Promise<PortalInfoOutput> {
    return this.#call(
      {
        method: 'POST',
        path: '/tenant/portal_info/{external_id}',
        params: { external_id: externalId },
        query: { dry_run: options.dryRun },
        body,
      },
      options,
    );
  }

  /** Returns whose API key this is, and the service's environment. */
  getPartner(options?: CallOptions): Promise<PartnerOutput> {
    return this.#call({ method: 'GET', path: '/partner' }, options);
  }

  /** Returns the account that you debit for settlements. Read it before each run of debits. */
  getDebitAccount(options?: CallOptions): Promise<DebitAccountOutput> {
    return this.#call({ method: 'GET', path: '/partner/debit_account' }, options);
  }

  /**
   * Calls a route by its path below `/v1`, such as `/partner`, for routes that are newer than this
   * package. Encode ids in the path. The other methods are typed versions of this one.
   */
  request<T = unknown>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    input: Pick<RequestSpec, 'query' | 'body'> = {},
    options?: CallOptions,
  ): Promise<T> {
    return request(this.#transport, { ...input, method, path }, options);
  }

  /**
   * Returns a single-use link to the console, valid for 10 minutes. The `person` that you name
   * appears in the portal's audit log. The scope `admin` opens the whole console: also the request log,
   * API keys, allowed origins, tenants and settlements. Default: `webhooks`.
   */
  webhookPortalUrl(
    options: CallOptions & {
      scope?: 'webhooks' | 'admin';
      readOnly?: boolean;
      person?: string;
    } = {},
  ): Promise<{ url: string }> {
    const { scope, person } = options;
    const query = { scope, read_only: options.readOnly, person };
    return this.#call({ method: 'GET', path: '/partner/webhook_portal_url', query }, options);
  }

  /**
   * Creates a token for one view of the console in a frame on a page of your back office, for the components
   * of `@svc/react/staff` and `@svc/core/staff`. Check first that the person may see the view.
   */
  portalToken(body: CreatePortalToken, options?: CallOptions): Promise<PortalTokenOutput> {
    return this.#call({ method: 'POST', path: '/portal_tokens', body }, options);
  }

  /** Signs everyone out of the console. */
  revokeWebhookPortalSessions(options?: CallOptions): Promise<{ revoked: number }> {
    return this.#call({ method: 'DELETE', path: '/partner/webhook_portal_sessions' }, options);
  }

  /** Your API keys. The secret of a key is in the result of `create` and `rotate` only. */
  readonly apiKeys = {
    list: (options?: CallOptions): List<ApiKeyOutput> =>
      listOf((cursor) =>
        this.#call({ method: 'GET', path: '/partner/api_keys', query: { cursor } }, options),
      ),

    create: (body: CreateApiKeyInput, options?: CallOptions): Promise<CreatedApiKeyOutput> =>
      this.#call({ method: 'POST', path: '/partner/api_keys', body }, options),

    /** Replaces a key. The old one works for `overlap_hours`: by default 24, at most 168. */
    rotate: (
      id: string,
      body: { overlap_hours?: number } = {},
      options?: CallOptions,
    ): Promise<RotatedApiKeyOutput> =>
      this.#call(
        { method: 'POST', path: '/partner/api_keys/{id}/rotate', params: { id }, body },
        options,
      ),

    /** Revokes a key at once. Console sessions that its links opened end. */
    revoke: (id: string, options?: CallOptions): Promise<RevokedApiKeyOutput> =>
      this.#call({ method: 'DELETE', path: '/partner/api_keys/{id}', params: { id } }, options),
  };

  /** The calls of your backend in the last 7 days, with redacted bodies. */
  readonly requests = {
    /** Lists calls, newest first. */
    list: (filter: RequestFilter = {}, options?: CallOptions): List<RequestOutput> =>
      listOf((cursor) =>
        this.#call(
          { method: 'GET', path: '/partner/requests', query: { ...filter, cursor } },
          options,
        ),
      ),

    /** @param requestId the `X-Request-Id` of a response, or `requestId` of an `SvcError` */
    get: (requestId: string, options?: CallOptions): Promise<RequestDetailOutput> =>
      this.#call(
        { method: 'GET', path: '/partner/requests/{id}', params: { id: requestId } },
        options,
      ),
  };

  /** The origins that may embed the widget and the experience. Empty: any in the sandbox, none in production. */
  readonly allowedOrigins = {
    get: (options?: CallOptions): Promise<AllowedOriginsOutput> =>
      this.#call({ method: 'GET', path: '/partner/allowed_origins' }, options),

    /**
     * Replaces the list, which has at most 20 origins. `appSchemes` replaces your app's schemes, at most
     * 10, to which a hosted experience may return. Without it they stay unchanged.
     */
    set: (
      origins: string[],
      options: CallOptions & { appSchemes?: string[] } = {},
    ): Promise<AllowedOriginsOutput> =>
      this.#call(
        {
          method: 'PUT',
          path: '/partner/allowed_origins',
          body: { allowed_origins: origins, app_schemes: options.appSchemes },
        },
        options,
      ),
  };

  /**
   * Your brand in the experience, mails and documents. Each call returns all of it, with the colors
   * derived from the accent and a warning where it had to be adjusted.
   */
  readonly appearance = {
    get: (options?: CallOptions): Promise<AppearanceOutput> =>
      this.#call({ method: 'GET', path: '/partner/appearance' }, options),

    /** Replaces the settings; one that is left out gets its default. The files stay. */
    set: (body: AppearanceInput, options?: CallOptions): Promise<AppearanceOutput> =>
      this.#call({ method: 'PUT', path: '/partner/appearance', body }, options),

    /** Uploads a PNG of at most 64 kB and 1024 px on each side. */
    setLogo: (png: Uint8Array, options?: CallOptions): Promise<AppearanceOutput> =>
      this.#call(
        {
          method: 'PUT',
          path: '/partner/appearance/logo',
          file: { type: 'image/png', bytes: png },
        },
        options,
      ),

    removeLogo: (options?: CallOptions): Promise<AppearanceOutput> =>
      this.#call({ method: 'DELETE', path: '/partner/appearance/logo' }, options),

    /** Uploads a WOFF2 of at most 200 kB, for the experience. */
    setFont: (woff2: Uint8Array, options?: CallOptions): Promise<AppearanceOutput> =>
      this.#call(
        {
          method: 'PUT',
          path: '/partner/appearance/font',
          file: { type: 'font/woff2', bytes: woff2 },
        },
        options,
      ),

    removeFont: (options?: CallOptions): Promise<AppearanceOutput> =>
      this.#call({ method: 'DELETE', path: '/partner/appearance/font' }, options),
  };

  /**
   * Checks your integration: keys, signature, charges, page, container and webhook endpoints. Sends
   * up to four test webhooks to each of the first three enabled endpoints. Takes up to a minute.
   */
  doctor(body: RunDoctor = {}, options?: CallOptions): Promise<DoctorOutput> {
    return this.#call({ method: 'POST', path: '/partner/doctor', body }, options);
  }

  /** The go-live checklist. The service marks what it has seen; you mark the rest. */
  readonly goLive = {
    get: (options?: CallOptions): Promise<GoLiveOutput> =>
      this.#call({ method: 'GET', path: '/partner/go_live' }, options),

    mark: (
      item: ManualGoLiveItem,
      body: { done: boolean },
      options?: CallOptions,
    ): Promise<GoLiveOutput> =>
      this.#call(
        { method: 'PUT', path: '/partner/go_live/{item}', params: { item }, body },
        options,
      ),
  };

  readonly settlements = {
    list: (filter: SettlementFilter = {}, options?: CallOptions): List<SettlementOutput> =>
      listOf((cursor) =>
        this.#call({ method: 'GET', path: '/settlements', query: { ...filter, cursor } }, options),
      ),

    get: (id: string, options?: CallOptions): Promise<SettlementOutput> =>
      this.#call({ method: 'GET', path: '/settlements/{id}', params: { id } }, options),

    /** Reports the status of your debit. Repeating a call changes nothing. */
    update: (
      id: string,
      body: UpdateSettlement,
      options?: CallOptions,
    ): Promise<SettlementOutput> =>
      this.#call({ method: 'PATCH', path: '/settlements/{id}', params: { id }, body }, options),

    /** Reports that the bank returned a debit that had arrived: we owe you the settlement again. */
    reportReturn: (
      id: string,
      body: ReturnSettlement = {},
      options?: CallOptions,
    ): Promise<SettlementOutput> =>
      this.#call(
        { method: 'POST', path: '/settlements/{id}/return', params: { id }, body },
        options,
      ),

    /** Reports that you sent part of a settlement back, because the landlord credited the tenant. */
    refund: (id: string, body: CreateRefund, options?: CallOptions): Promise<RefundOutput> =>
      this.#call(
        { method: 'POST', path: '/settlements/{id}/refunds', params: { id }, body },
        options,
      ),

    listRefunds: (id: string, options?: CallOptions): List<RefundOutput> =>
      listOf(() =>
        this.#call({ method: 'GET', path: '/settlements/{id}/refunds', params: { id } }, options),
      ),

    /** Returns the settlements of a day (`YYYY-MM-DD` in UTC), with totals and as CSV. */
    report: (date: string, options?: CallOptions): Promise<SettlementReport> =>
      this.#call({ method: 'GET', path: '/settlements/report', query: { date } }, options),
  };

  readonly payouts = {
    list: (filter: PayoutFilter = {}, options?: CallOptions): List<PayoutOutput> =>
      listOf((cursor) =>
        this.#call({ method: 'GET', path: '/payouts', query: { ...filter, cursor } }, options),
      ),

    get: (id: string, options?: CallOptions): Promise<PayoutOutput> =>
      this.#call({ method: 'GET', path: '/payouts/{id}', params: { id } }, options),

    /** Returns a payout with all of its lines, whose amounts sum to its amount. */
    statement: (id: string, options?: CallOptions): Promise<PayoutStatement> =>
      this.#call({ method: 'GET', path: '/payouts/{id}/statement', params: { id } }, options),

    /** Reports the outcome of your debit of a payout. Repeating a call changes nothing. */
    update: (id: string, body: UpdatePayout, options?: CallOptions): Promise<PayoutOutput> =>
      this.#call({ method: 'PATCH', path: '/payouts/{id}', params: { id }, body }, options),

    /** Reports that the bank returned a debit that had arrived: the next payout carries it forward. */
    reportReturn: (
      id: string,
      body: ReturnPayout = {},
      options?: CallOptions,
    ): Promise<PayoutOutput> =>
      this.#call({ method: 'POST', path: '/payouts/{id}/return', params: { id }, body }, options),
  };

  readonly plans = {
    get: (id: string, options?: CallOptions): Promise<PlanOutput> =>
      this.#call({ method: 'GET', path: '/plans/{id}', params: { id } }, options),
  };

  /**
   * Verifies the `svc_result` with which a tenant returned from `experience_url`, and uses it up: each result
   * works once, for 10 minutes.
   */
  useExperienceResult(body: { result: string }, options?: CallOptions): Promise<ExperienceResult> {
    return this.#call({ method: 'POST', path: '/experience_results', body }, options);
  }

  readonly tenants = {
    /** Turns off every `experience_url` of the tenant, and ends the pages that they opened. */
    revokeExperienceUrls: (
      externalId: string,
      options?: CallOptions,
    ): Promise<{ revoked: number }> =>
      this.#call(
        {
          method: 'DELETE',
          path: '/tenants/{external_id}/experience_urls',
          params: { external_id: externalId },
        },
        options,
      ),

    /** Lists tenants with balance, plan and clock, newest first. */
    list: (filter: TenantFilter = {}, options?: CallOptions): List<ListedTenantOutput> =>
      listOf((cursor) =>
        this.#call(
          { method: 'GET', path: '/partner/tenants', query: { ...filter, cursor } },
          options,
        ),
      ),

    get: (externalId: string, options?: CallOptions): Promise<TenantOutput> =>
      this.#call(
        { method: 'GET', path: '/tenants/{external_id}', params: { external_id: externalId } },
        options,
      ),
  };

  readonly events = {
    /** Lists webhook bodies in commit order, up to the newest. To continue later, pass the last id as `after`. */
    list: ({ after, limit }: EventFilter = {}, options?: CallOptions): List<WebhookEvent> =>
      listOf(async (cursor = after) => {
        const query = { after: cursor, limit };
        const { items } = await this.#call({ method: 'GET', path: '/events', query }, options);
        // The schema leaves `data` open. The event catalog, which the service checks when it emits, types it.
        return { items: items as WebhookEvent[], next_cursor: items.at(-1)?.id ?? null };
      }),
  };
}

function transportOf(options: SvcClientOptions): Transport {
  requireApiKey(options.apiKey);
  return {
    apiKey: options.apiKey,
    baseUrl: readBaseUrl(options.baseUrl),
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    timeoutMs: wholeNumber('timeoutMs', options.timeoutMs ?? 30_000, 1),
    maxRetries: wholeNumber('maxRetries', options.maxRetries ?? 2, 0),
    deadlineMs: wholeNumber('deadlineMs', options.deadlineMs ?? 120_000, 1),
    wait: sleep,
    random: Math.random,
    elapsed: () => performance.now(),
  };
}

function readBaseUrl(baseUrl: string): string {
  if (!URL.canParse(baseUrl) || !/^https?:/.test(baseUrl)) {
    throw new TypeError(
      `baseUrl must be a URL such as https://host/v1, but is ${String(baseUrl)}.`,
    );
  }
  const { origin, pathname } = new URL(baseUrl);
  return origin + (pathname === '/' ? '/v1' : pathname.replace(/\/+$/, ''));
}

function wholeNumber(name: string, value: number, least: number): number {
  if (Number.isInteger(value) && value >= least) return value;
  throw new TypeError(`${name} must be a whole number from ${least}, but is ${String(value)}.`);
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
