import { certificationInput, serviceCaseNames } from '@svc/contract';
import { z } from 'zod';
import { defineTool } from '../tool.ts';

interface Step {
  readonly title: string;
  readonly detail: string | null;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly body: string | null;
  } | null;
  readonly response: { readonly status: number; readonly body: string | null } | null;
}

interface Case {
  readonly name: string;
  readonly status: string;
  readonly summary: string | null;
  readonly steps: readonly Step[];
}

interface Certification {
  readonly cases: readonly Case[];
}

const mostSteps = 20;
const mostCharacters = 600;

const certificationId = z
  .string()
  .min(1)
  .max(255)
  .meta({ description: 'The run: its id, such as "crt_…".' });
const caseName = z.enum(serviceCaseNames);
const exampleId = 'crt_01k5z3w7c8d9e0f1g2h3j4k5m6';

const startCertification = defineTool({
  name: 'start_certification',
  title: 'Start a certification',
  description:
    'Starts a run that checks your webhook receiver: its cases play tenants’ lives and bad deliveries. Returns the cases. Run "handshake" first with run_certification_case, then the others, then finish_certification. The page "certify" of the docs says what each case checks.',
  input: z.strictObject(certificationInput.shape),
  example: {},
  access: 'write',
  openWorld: true,
  run: async (service, body) =>
    withoutSteps(await service.call<Certification>('POST /certifications', { body })),
});

const runCase = defineTool({
  name: 'run_certification_case',
  title: 'Run a case of a certification',
  description:
    'Runs one case now, which takes up to a minute, and returns what it found: the likely cause, the fix, and its requests and your answers. A repeated call runs it again, with new tenants.',
  input: z.strictObject({ certification_id: certificationId, case: caseName }),
  example: { certification_id: exampleId, case: 'handshake' },
  access: 'write',
  idempotent: true,
  openWorld: true,
  async run(service, { certification_id: id, case: name }) {
    const params = { id, name };
    const route = 'POST /certifications/{id}/cases/{name}';
    return withShortSteps(await service.call<Case>(route, { params, timeoutMs: 90_000 }));
  },
});

const showCertification = defineTool({
  name: 'show_certification',
  title: 'Show a certification',
  description:
    'Returns a run with the status, cause and fix of each case. With a case, returns only that one, with its requests and your answers. Without an id, lists the newest runs.',
  input: z.strictObject({
    certification_id: certificationId.optional(),
    case: caseName.optional(),
  }),
  example: { certification_id: exampleId },
  async run(service, { certification_id: id, case: name }) {
    if (id === undefined) return service.call('GET /certifications', { query: { limit: 10 } });
    const params = { id };
    const found = await service.call<Certification>('GET /certifications/{id}', { params });
    if (name === undefined) return withoutSteps(found);
    return found.cases.filter((it) => it.name === name).map(withShortSteps);
  },
});

const finishCertification = defineTool({
  name: 'finish_certification',
  title: 'Finish a certification',
  description:
    'Ends a run and returns the verdict. Cases that did not run are skipped, and a badge needs all of them; the cases of your page run with the command line only.',
  input: z.strictObject({ certification_id: certificationId }),
  example: { certification_id: exampleId },
  access: 'write',
  destructive: true,
  idempotent: true,
  async run(service, { certification_id: id }) {
    const params = { id };
    const route = 'POST /certifications/{id}/finish';
    return withoutSteps(await service.call<Certification>(route, { params, timeoutMs: 60_000 }));
  },
});

/** Leaves out the steps of all cases, which would fill an agent's context. */
function withoutSteps({ cases, ...run }: Certification) {
  const short = cases.map((each) => {
    const { steps: _, ...result } = each;
    return result;
  });
  return { ...run, cases: short };
}

/** Keeps the last steps, which led to the result, with the beginnings of their bodies. */
function withShortSteps({ steps, ...each }: Case) {
  const short = steps.slice(-mostSteps).map(({ title, detail, request, response }) => ({
    title,
    detail,
    request: request && `${request.method} ${request.url} ${shorten(request.body)}`,
    response: response && `${response.status} ${shorten(response.body)}`,
  }));
  return { ...each, steps: short, steps_left_out: steps.length - short.length };
}

function shorten(body: string | null): string {
  const text = body ?? '';
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)} …` : text;
}

export const certifyTools = [startCertification, runCase, showCertification, finishCertification];
