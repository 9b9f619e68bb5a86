import type { z } from 'zod';
import type { fileInput } from '../api/appearance.ts';
import type { RouteInput, RouteOutput } from '../api-routes.ts';
import type { bankFileQuery, takenFileOutput } from './bank-files.ts';
import type {
  booksDayOutput,
  booksDaysOutput,
  exceptionsOutput,
  exceptionsQuery,
  statementReplaceQuery,
  statementUploadQuery,
} from './books.ts';
import type { commandInput, commandOutput, commandsOutput } from './commands.ts';
import type { healthOutput } from './health.ts';
import type {
  controlsOutput,
  controlsQuery,
  operatorPartnerOutput,
  operatorPartnersOutput,
  secretsOutput,
} from './partners.ts';
import type {
  notedItemsOutput,
  queueCsvQuery,
  queueOutput,
  queueQuery,
  queuesOutput,
  releaseItemsInput,
  snoozeItemsInput,
  takeItemsInput,
} from './queues.ts';
import type {
  csvOutput,
  delinquencyOutput,
  feesOutput,
  lossesOutput,
  operatorPayoutsOutput,
  operatorPayoutsQuery,
  portfolioOutput,
  portfolioQuery,
  postingsOutput,
  postingsQuery,
  statementLinesOutput,
  statementLinesQuery,
  trialBalanceOutput,
  trialBalanceQuery,
} from './reports.ts';
import type { searchInput, searchOutput } from './search.ts';
import type { openOperatorSessionInput, operatorSessionOutput } from './session.ts';
import type {
  enrolledOutput,
  enrollPasswordInput,
  finishVisitInput,
  finishVisitOutput,
  operatorFactorsOutput,
  operatorSessionsOutput,
  passkeyInput,
  passkeyOptionsOutput,
  passwordOptionsOutput,
  passwordSignInInput,
  proofVisitInput,
  proveInput,
  provenOutput,
  recoverySignInInput,
  signInWaysOutput,
  visitInput,
  visitOutput,
} from './sign-in.ts';
import type {
  tenantPageOutput,
  timelineCsvQuery,
  timelineOutput,
  timelineQuery,
  unmaskInput,
  unmaskOutput,
  viewTenantOutput,
} from './tenants.ts';
import type { operatorTermsOutput, operatorTermsVersionOutput } from './terms.ts';

import type { savedView, savedViewsOutput, saveViewInput } from './views.ts';

/** Every call of the operator's API, below `/operator/v1`, with its schemas. */
export interface OperatorRoutes {
  GET: {
    '/commands': { output: typeof commandsOutput };
    '/bank_files/{id}': { output: z.ZodUnknown };
    '/books/accounts/{account}/postings': {
      query: typeof postingsQuery;
      output: typeof postingsOutput;
    };
    '/books/days': { output: typeof booksDaysOutput };
    '/books/days/{day}': { output: typeof booksDayOutput };
    '/books/exceptions': { query: typeof exceptionsQuery; output: typeof exceptionsOutput };
    '/books/exceptions.csv': { query: typeof exceptionsQuery; output: typeof csvOutput };
    '/books/lines': { query: typeof statementLinesQuery; output: typeof statementLinesOutput };
    '/books/lines.csv': { query: typeof statementLinesQuery; output: typeof csvOutput };
    '/books/trial-balance': { query: typeof trialBalanceQuery; output: typeof trialBalanceOutput };
    '/controls': { query: typeof controlsQuery; output: typeof controlsOutput };
    '/health': { output: typeof healthOutput };
    '/partners': { output: typeof operatorPartnersOutput };
    '/partners.csv': { output: typeof csvOutput };
    '/partners/{pms}': { output: typeof operatorPartnerOutput };
    '/payouts': { query: typeof operatorPayoutsQuery; output: typeof operatorPayoutsOutput };
    '/payouts.csv': { query: typeof operatorPayoutsQuery; output: typeof csvOutput };
    '/queues': { output: typeof queuesOutput };
    '/queues/{name}': { query: typeof queueQuery; output: typeof queueOutput };
    '/queues/{name}/items.csv': { query: typeof queueCsvQuery; output: typeof csvOutput };
    '/reports/delinquency': { output: typeof delinquencyOutput };
    '/reports/delinquency.csv': { output: typeof csvOutput };
    '/reports/fees': { query: typeof portfolioQuery; output: typeof feesOutput };
    '/reports/fees.csv': { query: typeof portfolioQuery; output: typeof csvOutput };
    '/reports/losses': { output: typeof lossesOutput };
    '/reports/losses.csv': { output: typeof csvOutput };
    '/reports/portfolio': { query: typeof portfolioQuery; output: typeof portfolioOutput };
    '/reports/portfolio.csv': { query: typeof portfolioQuery; output: typeof csvOutput };
    '/secrets': { output: typeof secretsOutput };
    '/session': { output: typeof operatorSessionOutput };
    '/tenants/{partner}/{external_id}': { output: typeof tenantPageOutput };
    '/tenants/{partner}/{external_id}/timeline': {
      query: typeof timelineQuery;
      output: typeof timelineOutput;
    };
    '/terms': { output: typeof operatorTermsOutput };
    '/terms/{version}': { output: typeof operatorTermsVersionOutput };
    '/tenants/{partner}/{external_id}/timeline.csv': {
      query: typeof timelineCsvQuery;
      output: typeof csvOutput;
    };
    '/views': { output: typeof savedViewsOutput };
    '/factors': { output: typeof operatorFactorsOutput };
    '/sessions': { output: typeof operatorSessionsOutput };
    '/sign_in': { output: typeof signInWaysOutput };
    '/openapi.json': { output: z.ZodUnknown };
  };
  POST: {
    '/queues/{name}/take': { body: typeof takeItemsInput; output: typeof notedItemsOutput };
    '/queues/{name}/release': { body: typeof releaseItemsInput; output: typeof notedItemsOutput };
    '/queues/{name}/snooze': { body: typeof snoozeItemsInput; output: typeof notedItemsOutput };
    '/bank_files': {
      query: typeof bankFileQuery;
      file: typeof fileInput;
      output: typeof takenFileOutput;
    };
    '/books/statements': {
      query: typeof statementUploadQuery;
      file: typeof fileInput;
      output: typeof commandOutput;
    };
    '/books/statements/replace': {
      query: typeof statementReplaceQuery;
      file: typeof fileInput;
      output: typeof commandOutput;
    };
    '/search': { body: typeof searchInput; output: typeof searchOutput };
    '/tenants/{partner}/{external_id}/unmask': {
      body: typeof unmaskInput;
      output: typeof unmaskOutput;
    };
    '/tenants/{partner}/{external_id}/view': { output: typeof viewTenantOutput };
    '/views': { body: typeof saveViewInput; output: typeof savedView };
    '/views/{id}/remove': { output: z.ZodNull };
    '/session/open': {
      body: typeof openOperatorSessionInput;
      output: typeof operatorSessionOutput;
    };
    '/session/close': { output: z.ZodNull };
    '/session/prove/options': { output: typeof passkeyOptionsOutput };
    '/session/prove': { body: typeof proveInput; output: typeof provenOutput };
    '/session/prove/oidc': { body: typeof proofVisitInput; output: typeof visitOutput };
    '/sessions/{id}/end': { output: z.ZodNull };
    '/sign_in/oidc': { body: typeof visitInput; output: typeof visitOutput };
    '/sign_in/oidc/finish': { body: typeof finishVisitInput; output: typeof finishVisitOutput };
    '/sign_in/passkey/options': { output: typeof passkeyOptionsOutput };
    '/sign_in/passkey': { body: typeof passkeyInput; output: typeof operatorSessionOutput };
    '/sign_in/password': { body: typeof passwordSignInInput; output: typeof operatorSessionOutput };
    '/sign_in/recovery': { body: typeof recoverySignInInput; output: typeof operatorSessionOutput };
    '/factors/passkey/options': { output: typeof passkeyOptionsOutput };
    '/factors/passkey': { body: typeof passkeyInput; output: typeof enrolledOutput };
    '/factors/passkeys/{id}/remove': { output: z.ZodNull };
    '/factors/password/options': { output: typeof passwordOptionsOutput };
    '/factors/password': { body: typeof enrollPasswordInput; output: typeof enrolledOutput };
    /** `/commands/payment-refund` runs the command `payment refund`. */
    [command: `/commands/${string}`]: { body: typeof commandInput; output: typeof commandOutput };
  };
}

export type OperatorMethod = keyof OperatorRoutes;
export type OperatorPath<Method extends OperatorMethod> = keyof OperatorRoutes[Method] & string;

/** The `data` of a call's response. */
export type OperatorOutput<
  Method extends OperatorMethod,
  Path extends OperatorPath<Method>,
> = RouteOutput<OperatorRoutes[Method][Path]>;

/** The input of a call: the path parameters, the optional `query` and the `body` that its route declares. */
export type OperatorInput<
  Method extends OperatorMethod,
  Path extends OperatorPath<Method>,
> = RouteInput<OperatorRoutes[Method][Path], Path>;
