import {
  certificationCase,
  certificationCaseParams,
  certificationInput,
  certificationKeysOutput,
  certificationOutput,
  certificationParams,
  certificationSummary,
  certificationsQuery,
  listOf,
  pageResultsInput,
} from '@svc/contract';
import { checkUrl } from '@svc/webhooks';
import { finishRun, storePageResults } from '../../domain/certification/finish-run.ts';
import { runCase } from '../../domain/certification/run-case.ts';
import { readReportKeys } from '../../domain/certification/sign-report.ts';
import { startRun } from '../../domain/certification/start-run.ts';
import { listCertifications, readCertification } from '../../domain/certification/store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { version } from '../../migrations.ts';
import { type Route, route } from '../route.ts';

/** Only in the sandbox: a case makes tenants, and sends hostile webhooks about them. */
const certification = {
  who: 'key_or_portal',
  keyScope: 'everything',
  scope: 'admin',
  tag: 'Certification',
  sandboxOnly: true,
} as const;

const one = { ...certification, params: certificationParams, output: certificationOutput } as const;

export const certificationRoutes: readonly Route[] = [
  route({
    ...certification,
    method: 'POST',
    path: '/certifications',
    kind: 'command',
    summary: 'Start a certification',
    docs: {
      id: 'startCertification',
      description:
        'Begins a run that proves your integration: then run each case, and finish the run. One runs at a time, and 20 in an hour. `svc certify` does all of this.',
      errors: ['certification_running', 'delivered_by_svix', 'rate_limited'],
      node: 'svc.certifications.start({body})',
      body: { tenant_query_url: 'https://portal.example/api/svc/tenant' },
    },
    body: certificationInput,
    output: certificationOutput,
    audit: {
      entry: ({ result: { id, endpoint_id } }) => ({
        action: 'partner.certification_started',
        subject_id: id,
        details: { endpoint_id },
      }),
    },
    async before({ service }, { body }) {
      if (!service.deliversWebhooks) {
        throw new Refusal('delivered_by_svix', {
          message:
            'A certification sends webhooks itself, and this service hands its webhooks to Svix. Certify against a sandbox that delivers them, such as @svc/sandbox.',
        });
      }
      if (body.tenant_query_url !== undefined) {
        // The same policy as for reading a page: no network is allowed that the operator opened for webhooks.
        await checkUrl(body.tenant_query_url, { ...service.webhookPolicy, allowedNetworks: [] });
      }
    },
    verb: (ctx, { body }) => startRun(ctx, body, version),
  }),
  route({
    ...certification,
    method: 'GET',
    path: '/certifications',
    kind: 'query',
    summary: 'List certifications, newest first',
    docs: {
      id: 'listCertifications',
      description: 'Returns your runs without their cases, newest first. The newest 50 are kept.',
      node: 'svc.certifications.list()',
    },
    query: certificationsQuery,
    output: listOf(certificationSummary),
    verb: (ctx, { query }) => listCertifications(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/certifications/public_key',
    who: 'anyone',
    kind: 'query',
    tag: 'Certification',
    summary: 'Read the keys that verify reports',
    internal: true,
    output: certificationKeysOutput,
    verb: async ({ service }) => readReportKeys(service.vault),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/certifications/{id}',
    kind: 'query',
    summary: 'Read a certification',
    docs: {
      id: 'getCertification',
      description: 'Returns a run with its cases, and each request and response of them.',
      errors: ['not_found'],
      node: 'svc.certifications.get({id})',
    },
    verb: (ctx, { params }) => readCertification(ctx, params),
  }),
  route({
    ...certification,
    method: 'POST',
    path: '/certifications/{id}/cases/{name}',
    kind: 'steps',
    group: 'certification',
    summary: 'Run one case',
    docs: {
      id: 'runCertificationCase',
      description:
        'Runs one case now, stores its result and returns it. Takes up to a minute, so allow for that in your client. A repeated call runs it again, with new tenants. Run `handshake` first: until it has passed, the others are skipped.',
      errors: ['not_found', 'certification_running', 'certification_finished'],
      node: 'svc.certifications.runCase({id}, {name})',
    },
    params: certificationCaseParams,
    output: certificationCase,
    audit: { none: 'The result is in the run, whose start and end are recorded.' },
    verb: (ctx, { params }) => runCase(ctx, params),
  }),
  route({
    ...one,
    method: 'PUT',
    path: '/certifications/{id}/page_results',
    kind: 'command',
    summary: 'Report results of your page',
    docs: {
      id: 'reportPageResults',
      description:
        'Stores the results of the cases of the area `page`, which only a browser can run. They are marked as reported by the CLI.',
      errors: ['not_found', 'certification_finished'],
      node: 'svc.certifications.reportPage({id}, {body})',
    },
    body: pageResultsInput,
    audit: { none: 'The results are in the run, whose start and end are recorded.' },
    verb: (ctx, { params, body }) => storePageResults(ctx, { ...params, ...body }),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/certifications/{id}/finish',
    kind: 'steps',
    group: 'certification',
    summary: 'Finish a certification',
    docs: {
      id: 'finishCertification',
      description:
        'Ends a run, signs its report, and marks the items of the go-live checklist that follow from it. Cases that were not run are skipped. A repeated call returns the report again.',
      errors: ['not_found', 'certification_running', 'certification_finished'],
      node: 'svc.certifications.finish({id})',
    },
    audit: {
      entry: ({ result: { id, state } }) => ({
        action: 'partner.certification_finished',
        subject_id: id,
        details: { state },
      }),
    },
    verb: (ctx, { params }) => finishRun(ctx, params),
  }),
];
