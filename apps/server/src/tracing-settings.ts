import { z } from 'zod';
import { httpUrl, numberFrom } from './setting-types.ts';
import { optionalSection, type SectionValue, setting } from './settings.ts';

/** Where traces are sent. Undefined means that none are made. */
export const tracingSettings = optionalSection(
  { isUsed: ({ OTEL_EXPORTER_OTLP_ENDPOINT }) => OTEL_EXPORTER_OTLP_ENDPOINT !== undefined },
  {
    /** The OTLP collector, such as `http://localhost:4318`. */
    endpoint: setting({
      name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
      type: httpUrl('http://localhost:4318'),
      required: true,
      defaultNote: 'no traces',
      description:
        'an OpenTelemetry collector that takes OTLP over HTTP: [traces](monitoring.md#traces) are sent there',
    }),
    /** `name=value,name=value` with percent escapes in the values, as OpenTelemetry defines it. */
    headers: setting({
      name: 'OTEL_EXPORTER_OTLP_HEADERS',
      type: z
        .string()
        .transform(parseHeaders)
        .refine((headers) => headers !== undefined, {
          error: 'must be headers such as "authorization=Bearer%20abc", separated by commas',
        }),
      secret: 'text',
      description: 'headers for the collector: `name=value,name=value`',
    }),
    /** The share of requests without a `traceparent` that are traced, 0 to 1. */
    ratio: setting({
      name: 'OTEL_TRACES_SAMPLER_ARG',
      type: numberFrom('a number', 0, 1),
      default: '1',
      description:
        "the share of requests that are traced; a caller's `traceparent` decides for its request",
    }),
  },
);

export interface TracingConfig extends SectionValue<typeof tracingSettings> {}

function parseHeaders(text: string): Record<string, string> | undefined {
  const pairs = text.split(',').map((pair) => /^\s*([\w-]+)=([^\p{Cc}]+)$/u.exec(pair));
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        const [, name = '', value = ''] = pair ?? [];
        if (name === '') throw new URIError('not a header');
        return [name, decodeURIComponent(value.trim())];
      }),
    );
  } catch {
    return undefined;
  }
}
