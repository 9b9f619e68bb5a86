import {
  doctorInput,
  doctorOutput,
  goLiveMarkInput,
  goLiveOutput,
  goLiveParams,
} from '@svc/contract';
import { markGoLive, readGoLive } from '../../domain/doctor/go-live.ts';
import { runDoctor } from '../../domain/doctor/run-doctor.ts';
import { type Route, route } from '../route.ts';

/** Needs the scope `admin`, because checks and checklist show amounts and endings of keys. */
const partner = {
  who: 'key_or_portal',
  keyScope: 'everything',
  scope: 'admin',
  tag: 'Partner',
} as const;

export const doctorRoutes: readonly Route[] = [
  route({
    ...partner,
    method: 'POST',
    path: '/partner/doctor',
    kind: 'action',
    group: 'doctor',
    summary: 'Check your integration',
    docs: {
      id: 'runDoctor',
      description:
        'Checks keys, signature, charges, page, container and webhook endpoints from outside, and says what to fix. Sends test webhooks, one of them forged and one repeated, to each of the first three enabled endpoints. In the sandbox, also sends a test `settlement.created` and reports an endpoint that acts on it. Takes up to a minute.',
      node: 'svc.doctor({body})',
      body: { page_url: 'https://portal.example/rent', external_id: 't-100' },
    },
    body: doctorInput,
    output: doctorOutput,
    audit: {
      entry: ({ result: { checks } }) => ({
        action: 'partner.doctor_run',
        details: { failed: checks.filter((it) => it.status === 'fail').map(({ id }) => id) },
      }),
    },
    verb: (ctx, { body }) => runDoctor(ctx, body),
  }),
  route({
    ...partner,
    method: 'GET',
    path: '/partner/go_live',
    keyScope: 'read',
    // A command, because it marks what it sees for the first time.
    kind: 'command',
    summary: 'Read the go-live checklist',
    docs: {
      id: 'getGoLive',
      description:
        'Returns the items to have done before you go live. The service marks what it has seen; you mark the others with `markGoLive`.',
      node: 'svc.goLive.get()',
    },
    output: goLiveOutput,
    audit: { none: 'Marks only what the service has seen.' },
    verb: (ctx) => readGoLive(ctx),
  }),
  route({
    ...partner,
    method: 'PUT',
    path: '/partner/go_live/{item}',
    kind: 'command',
    summary: 'Mark an item of the go-live checklist',
    docs: {
      id: 'markGoLive',
      description:
        'Marks an item that the service cannot see, or removes the mark. Items that it observes cannot be marked.',
      errors: ['not_found'],
      node: 'svc.goLive.mark({item}, {body})',
    },
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
