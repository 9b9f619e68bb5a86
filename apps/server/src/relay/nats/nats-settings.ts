import { z } from 'zod';
import { flag, isLoopback } from '../../setting-types.ts';
import { optionalSection, setting } from '../../settings.ts';
import { type NatsServers, parseNatsUrl } from './servers.ts';

/** Also set while no events go to the stream, to hand over what is left from before. */
export const natsSettings = optionalSection(
  { isUsed: ({ NATS_URL }) => NATS_URL !== undefined },
  {
    servers: setting({
      name: 'NATS_URL',
      type: z.string().transform((text, context) => {
        const servers = parseNatsUrl(text);
        if (servers) return servers;
        context.addIssue(
          'must be a URL such as tls://user:password@nats.example:4222, with the hosts of a cluster separated by commas, and special characters of the password percent-encoded',
        );
        return z.NEVER;
      }),
      required: true,
      secret: 'url',
      inProduction: (servers) =>
        servers !== undefined &&
        !servers.tls &&
        !servers.hosts.every(isLoopbackPlace) &&
        'must start with tls:// in production, except on a loopback address, because it carries events about tenants.',
      description:
        '`tls://user:password@host:4222,host:4222` for the [event sink](event-sink.md), or `nats://` where TLS is optional; with `SVC_EVENT_SINK=none` it gets what is left from before',
    }),
    credsFile: setting({
      name: 'NATS_CREDS',
      type: z.string(),
      rule: (file, { NATS_URL }) => {
        if (file === undefined) return false;
        if (NATS_URL === undefined) return 'needs NATS_URL. Set both, or remove NATS_CREDS.';
        const { user, token } = NATS_URL as NatsServers;
        return (
          (user ?? token) !== undefined &&
          'and the user in NATS_URL are both set: remove one of them.'
        );
      },
      description:
        "the path of a credentials file with the user's JWT and key, read for each connection, instead of a user in `NATS_URL`",
    }),
    /** First token or tokens of each subject. */
    prefix: setting({
      name: 'SVC_EVENT_SINK_PREFIX',
      type: z.string().regex(/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/, {
        error: 'must be letters, digits, "-" and "_", with dots between them',
      }),
      default: 'svc',
      description: 'how the subject of each event starts',
    }),
    stream: setting({
      name: 'SVC_EVENT_SINK_STREAM',
      type: z.string().regex(/^[A-Za-z0-9_-]{1,200}$/, {
        error: 'must be the name of a stream: letters, digits, "-" and "_"',
      }),
      default: 'SVC_EVENTS',
      description: 'the stream; an event that another one would take is not sent',
    }),
    createsStream: setting({
      name: 'SVC_EVENT_SINK_CREATE_STREAM',
      type: flag,
      default: '0',
      description:
        '[create the stream](event-sink.md#the-stream) if none takes the events, to keep them as long as webhook messages',
    }),
  },
);

/** `host:port`. */
function isLoopbackPlace(place: string): boolean {
  return isLoopback(place.replace(/:\d+$/, '').replace(/^\[|\]$/g, ''));
}
