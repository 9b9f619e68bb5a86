/** The workspaces that a workspace may import; those in `types` by `import type` only. */
interface Reach {
  readonly values: readonly string[];
  readonly types?: readonly string[];
  /** Modules of those in `types` that may be imported as values. */
  readonly modules?: readonly string[];
}

/** The dependency rule between workspaces. Imports flow to contract and db, never back. */
export const WORKSPACES: Readonly<Record<string, Reach>> = {
  'packages/contract': { values: [] },
  'packages/ui': { values: ['packages/contract'] },
  'packages/db': { values: [] },
  'packages/runtime': { values: [] },
  'packages/core': {
    values: ['packages/ui'],
    types: ['packages/contract'],
    // Text only, for the diagnostics that the sandbox loads.
    modules: ['@svc/contract/sdk-errors'],
  },
  'packages/react': { values: ['packages/core'], types: ['packages/contract'] },
  'packages/node': { values: [], types: ['packages/contract'] },
  'packages/mcp': { values: ['packages/contract'] },
  'packages/cli': { values: ['packages/mcp', 'packages/node'], types: ['packages/contract'] },
  // Its program is the service's apps/server/src/sandbox.ts, which its build bundles.
  'packages/sandbox': { values: ['packages/node'], types: ['packages/contract'] },
  'packages/webhooks': { values: ['packages/contract', 'packages/db', 'packages/runtime'] },
  'apps/server': {
    values: [
      'packages/contract',
      'packages/db',
      'packages/mcp',
      'packages/runtime',
      'packages/webhooks',
    ],
  },
  // Renders the catalogs and routes of other workspaces into pages when it is built.
  'apps/docs': {
    values: [
      'packages/contract',
      'packages/mcp',
      'packages/ui',
      'packages/webhooks',
      'apps/server',
    ],
  },
  'apps/experience': { values: ['packages/contract', 'packages/ui'] },
  'apps/console': { values: ['packages/contract', 'packages/ui'] },
  'apps/operator': { values: ['packages/contract', 'packages/ui'] },
  'apps/demo-portal': {
    values: [
      'packages/contract',
      'packages/core',
      'packages/node',
      'packages/react',
      'packages/ui',
    ],
  },
};

/**
 * The folders of the domain, top down. A folder may import from the lines below it, never from its
 * own line or a line above, so the folders cannot form a cycle. Every folder must be listed, and a
 * listed folder has no subfolders.
 */
export const DOMAIN_FOLDERS: readonly (readonly string[])[] = [
  ['certification', 'forks'],
  ['back-office', 'scenarios'],
  ['books', 'doctor', 'documents'],
  ['intake', 'simulation', 'privacy'],
  ['applications', 'offers', 'disputes', 'refunds'],
  ['plans'],
  ['payouts'],
  ['settlements'],
  ['eligibility'],
  ['payments', 'mail', 'texts'],
  ['underwriting'],
  ['controls'],
  ['lending'],
  ['charges'],
  ['tenants'],
  ['operators'],
  ['partners', 'requests'],
  ['access', 'ledger', 'events'],
  ['audit'],
];

/**
 * The folders of packages/webhooks/src, top down. A folder may import from the lines below it, never from its own
 * line or a line above. Files outside of a folder (the engine, its exports) join the parts, so no folder imports them.
 */
export const ENGINE_FOLDERS: readonly (readonly string[])[] = [
  ['delivery'],
  ['activity', 'processes', 'publishing', 'replay'],
  ['results'],
  ['leases', 'messages'],
  ['endpoints', 'partitions', 'sending'],
  ['addresses'],
  ['kernel'],
];

/**
 * The tables that each folder below apps/server/src owns. Only the owner writes them; other folders call a function
 * of the owner, which may return a part of a statement. Every table is listed, except those of the engine, which is
 * one folder, because its hot statements write several tables at once.
 */
export const TABLE_OWNERS: Readonly<Record<string, readonly string[]>> = {
  'domain/access': [
    'api_key',
    'experience_session',
    'hosted_link',
    'portal_link',
    'portal_session',
    'tenant_token',
  ],
  'domain/applications': ['application', 'application_flag', 'decision', 'review'],
  'domain/audit': ['audit_entry', 'audit_seal', 'audit_unsealed'],
  'domain/back-office': ['queue_item_note', 'tenant_unmasking'],
  'domain/books': [
    'bank_account',
    'bank_line',
    'bank_statement',
    'book_cut',
    'book_item',
    'book_match',
    'book_owner',
    'book_seal',
  ],
  'domain/charges': ['charge'],
  'domain/controls': ['collection_hold', 'collection_pause', 'money_switch'],
  'domain/disputes': ['dispute'],
  'domain/certification': ['certification', 'certification_case'],
  'domain/doctor': ['go_live_mark'],
  'domain/documents': ['tenant_document'],
  'domain/intake': ['custom_event'],
  'domain/forks': ['recorded_call', 'tenant_fork'],
  'domain/ledger': [
    'ledger_account',
    'ledger_checkpoint',
    'ledger_counted',
    'ledger_day_total',
    'ledger_entry',
    'ledger_seal',
    'ledger_seal_before_partners',
    'ledger_transfer',
    'ledger_transfer_source',
    'ledger_unsealed',
  ],
  'domain/lending': ['lending_rule'],
  'domain/mail': ['bounced_address', 'electronic_records', 'mail'],
  'domain/operators': [
    'operator',
    'operator_account',
    'operator_attempt',
    'operator_challenge',
    'operator_invite',
    'operator_passkey',
    'operator_password',
    'operator_recovery_code',
    'operator_session',
    'operator_visit',
    'saved_view',
  ],
  'domain/partners': [
    'partner',
    'partner_appearance',
    'partner_file',
    'program_terms',
    'test_preset',
  ],
  'domain/payments': [
    'deposit',
    'payment_method',
    'payment_setup',
    'processor_call',
    'processor_entry',
    'processor_event',
    'processor_inbox',
    'processor_sweep',
  ],
  'domain/payouts': ['payout', 'payout_adjustment', 'payout_line', 'payout_setting'],
  'domain/plans': ['installment', 'payment', 'plan', 'plan_history'],
  'domain/refunds': ['refund'],
  'domain/requests': ['request_log'],
  'domain/settlements': ['plan_charge', 'settlement'],
  'domain/tenants': ['risk_key', 'risk_mark', 'tenant', 'tenant_due'],
  'domain/texts': ['text_consent', 'text_inbound', 'text_message'],
  http: ['idempotency_key', 'rate_limit_bucket'],
  operator: ['approval', 'operator_check', 'operator_request', 'unapproved_amount'],
  'processors/ach': ['ach_entry', 'ach_exception', 'ach_file'],
  'processors/simulator': [
    'simulator_call',
    'simulator_event',
    'simulator_payout',
    'simulator_setup',
  ],
  relay: ['outbox_item', 'outbox_stream'],
  'secret-key.ts': ['installation'],
};

interface WriteException {
  /** A file or folder below apps/server/src. */
  readonly path: string;
  /** All tables when left out. */
  readonly tables?: readonly string[];
  /** The release in which it ends; it is part of the design when left out. */
  readonly until?: string;
}

export const WRITE_EXCEPTIONS: readonly WriteException[] = [
  // Erases what every other folder stored about a tenant.
  { path: 'domain/privacy' },
  // Puts a sandbox tenant into a state that no command can reach.
  { path: 'domain/simulation' },
  // The failures that a test has prepared for a tenant are a column that 0.2.0 writes.
  { path: 'processors/simulator', tables: ['tenant'], until: '0.4.0' },
  // Ends the time in which services before 0.3.0 may run.
  {
    path: 'operator/seal-personal-data.ts',
    tables: ['installation', 'tenant', 'tenant_token'],
    until: '0.4.0',
  },
];

export interface PathRule {
  readonly rule: string;
  /** The files that the rule applies to. */
  readonly files: RegExp;
  /** Files that are exempt, in addition to tests. */
  readonly except?: RegExp;
}

interface ImportRule extends PathRule {
  /** A module as written, or a path from the root for a relative one. */
  readonly module: RegExp;
  /** Only imports of these names; without it, any import of the module. */
  readonly names?: RegExp;
}

interface TextRule extends PathRule {
  readonly text: RegExp;
}

const BROWSER = /^packages\/(core|react|ui)\/src\/|^apps\/(console|experience|operator)\/src\//;
const SERVICE = /^(packages|apps)\//;

export const IMPORT_RULES: readonly ImportRule[] = [
  {
    rule: 'only http/app.ts imports Fastify',
    files: /^apps\/server\//,
    except: /^apps\/server\/src\/http\/app\.ts$/,
    module: /^(@fastify\/|fastify)/,
  },
  {
    rule: 'only packages/db imports a database driver',
    files: SERVICE,
    except: /^packages\/db\//,
    module: /^(pg|pg-.*|@electric-sql\/.*)$/,
  },
  {
    rule: 'no part of the service sends HTTP with undici; packages/webhooks has its own sender',
    files: SERVICE,
    // The partner's command line, which takes the proxy of its environment.
    except: /^packages\/cli\//,
    module: /^undici$/,
  },
  {
    rule: 'only packages/mcp knows the SDK of the Model Context Protocol',
    files: SERVICE,
    except: /^packages\/mcp\//,
    module: /^@modelcontextprotocol\//,
  },
  {
    rule: 'only processors/index.ts and the folder itself import a processor of real money',
    files: /^apps\/server\/src\//,
    except: /^apps\/server\/src\/processors\/(index\.ts|ach\/|stripe\/)/,
    module: /^apps\/server\/src\/processors\/(ach|stripe)\//,
  },
  {
    rule: 'only folders named svix know the client of Svix',
    files: /^apps\/server\//,
    except: /^apps\/server\/(src\/([a-z-]+\/)*svix\/|test\/(support|svix)\/)/,
    module: /^svix$/,
  },
  {
    rule: 'only domain/events/emit.ts publishes a message',
    files: /^apps\/server\//,
    // main.ts and run-in-service.ts pass the engine’s publish to the service but do not call it.
    except: /^apps\/server\/src\/(domain\/events\/emit|main|operator\/run-in-service)\.ts$/,
    module: /^@svc\/webhooks/,
    names: /^publish/,
  },
  {
    rule: 'a verb of the domain receives `tx` and cannot name the database',
    files: /^apps\/server\/src\/domain\//,
    module: /^@svc\/db/,
    names: /^(Database|openDatabase|migrate)$/,
  },
  {
    rule: 'of the other folders of the service, the domain imports words only',
    files: /^apps\/server\/src\/domain\//,
    module: /^apps\/server\/src\/(?!domain\/|words\/)[^/]+\//,
  },
  {
    rule: 'words import no other folder of the service',
    files: /^apps\/server\/src\/words\//,
    module: /^apps\/server\/src\/(?!words\/)[^/]+\//,
  },
  {
    rule: 'HTTP and jobs do not import each other',
    files: /^apps\/server\/src\/http\//,
    module: /^apps\/server\/src\/jobs\//,
  },
  {
    rule: 'HTTP and jobs do not import each other',
    files: /^apps\/server\/src\/jobs\//,
    module: /^apps\/server\/src\/http\//,
  },
  {
    rule: 'code for browsers imports nothing of Node and nothing that holds an API key',
    files: BROWSER,
    module: /^(node:|@svc\/node|@svc\/db|fs$|path$|crypto$|process$)/,
  },
];

export const TEXT_RULES: readonly TextRule[] = [
  {
    rule: 'only clock.ts reads the system clock',
    files: SERVICE,
    // Browsers have no other clock, and the packages for partners use the partner's clock.
    except:
      /^packages\/runtime\/src\/clock\.ts$|^packages\/(core|react|node|cli|ui)\/|^apps\/(console|experience|operator|demo-portal)\//,
    text: /new Date\(\)|Date\.now\(|\bTemporal\.Now\b/,
  },
  {
    rule: 'only config.ts reads the environment',
    files: SERVICE,
    // init contains the text of programs for partners.
    except:
      /^apps\/server\/src\/config\.ts$|^packages\/cli\/src\/(environment\.ts|init\/.*)$|^apps\/demo-portal\/.*config\.ts$|\/vite\.config\.ts$/,
    text: /process\.env\b/,
  },
  {
    rule: 'only the folder of a processor names it',
    files: /^apps\/server\/src\//,
    // "ach returns" is about the network, whichever processor sends the debits.
    except:
      /^apps\/server\/src\/(processors\/(index\.ts|ach\/|stripe\/)|operator\/commands\/debit-returns\.ts$)/,
    text: /\b(ach|stripe)(_|\b)|\bAch[A-Z]/i,
  },
  {
    rule: 'only the listed files open a transaction',
    files: SERVICE,
    // experience/vault.ts opens a transaction of IndexedDB, tracing.ts wraps one in a span, and limit-load.ts
    // lets one wait for its place. measure-return-rates.ts reads for longer than a statement alone may.
    except:
      /^apps\/server\/src\/(unit-of-work\.ts|tracing\.ts|metrics\/measure-return-rates\.ts|operator\/(rotate-secret|seal-personal-data|grant-to-service|adopt-schema|distribute)\.ts|processors\/(simulator\/(create-simulator|charge-in-batches)|ach\/ach-processor)\.ts|http\/(command|edge\/limit-load)\.ts|jobs\/[^/]+\.ts)$|^apps\/experience\/src\/saved\/vault\.ts$|^packages\/db\/src\/migrate\.ts$|^packages\/webhooks\/src\/(upkeep\.ts|publishing\/publish-batch\.ts|results\/record\.ts|leases\/expire-leases\.ts|replay\/run-replays\.ts|partitions\/(create|drop)-partitions\.ts)$/,
    text: /\.transaction\(/,
  },
  {
    rule: 'only migrations, moves within a cluster and the sandbox’s snapshot use a connection without limits',
    files: SERVICE,
    except:
      /^packages\/db\/src\/(migrate|embedded\/create-snapshot)\.ts$|^apps\/server\/src\/operator\/rebalance\.ts$/,
    text: /\bdb\.session\(/,
  },
  {
    rule: 'the delivery engine does not depend on rent',
    files: /^packages\/webhooks\//,
    text: /\b(rent|rental|renter|installment|settlement|underwriting)s?\b/i,
  },
];
