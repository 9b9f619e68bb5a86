import {
  doctorInput,
  doctorOutput,
  goLiveMarkInput,
  goLiveOutput,
  goLiveParams,
} from '@svc/contract';
import { markGoLive, readGoLive, runDoctor } from '../../domain/index.ts';
import { type Route, route } from '../route.ts';

/** Checks and checklist show amounts and endings of keys. */
const partner = { who: 'key_or_portal', scope: 'admin', tag: 'Partner' } as const;

export const doctorRoutes: readonly Route[] = [
  route({
    ...partner,
    method: 'POST',
    path: '/partner/doctor',
    kind: 'action',
    summary:
      'Check your integration: keys, signature, charges, page, container and webhook endpoints',
    body: doctorInput,
    output: doctorOutput,
    audit: {
      entry: ({ result: { checks } }) => ({
        action: 'partner.doctor_run',
        details: { failed: checks.filter((it) => it.status === 'fail').map(({ id }) => id) },
      }),
    },
    verb: (ctx, { body }) => runDoctor(ctx, body, ctx.outward),
  }),
  route({
    ...partner,
    method: 'GET',
    path: '/partner/go_live',
    // Marks what it sees for the first time.
    kind: 'command',
    summary: 'Read the go-live checklist, with marks for what the service has seen',
    output: goLiveOutput,
    audit: { none: 'Marks only what the service has seen.' },
    verb: (ctx) => readGoLive(ctx),
  }),
  route({
    ...partner,
    method: 'PUT',
    path: '/partner/go_live/{item}',
    kind: 'command',
    summary:
      'Mark an item of the go-live checklist that the service cannot see, or remove the mark',
    params: goLiveParams,
    body: goLiveMarkInput,
    output: goLiveOutput,
    audit: {
      entry: ({ input: { params, body } }) => ({
        action: 'partner.go_live_marked',
        subject_id: params.item,
        details: { done: body.done },
      }),
    },
    verb: (ctx, { params, body }) => markGoLive(ctx, { ...params, ...body }),
  }),
];
