import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig, settings } from '../../apps/server/src/config.ts';
import { ROOT } from '../steps/run-command.mjs';

const deploy = join(ROOT, 'deploy');
const read = (path: string) => readFileSync(join(deploy, path), 'utf8');

interface Labeled {
  kind: string;
  metadata: { name: string };
}

const documents = readdirSync(join(deploy, 'kubernetes'))
  .filter((name) => name !== 'kustomization.yaml')
  .flatMap((name) =>
    // Kubernetes reads YAML 1.1, where 0440 is octal.
    parseAllDocuments(read(`kubernetes/${name}`), { version: '1.1' }).map((it) => it.toJS()),
  );

function one(kind: string) {
  const found = documents.filter((it: Labeled) => it.kind === kind);
  expect(found.length, kind).toBe(1);
  return found[0];
}

/** Settings whose values the operator keeps in files, and their variables without the files. */
function inFiles(environment: Record<string, string>) {
  const examples: Record<string, string> = {
    DATABASE_URL_FILE: 'postgres://svc@db/svc?sslmode=verify-full',
    SVC_SECRET_KEY_FILE: Buffer.alloc(32, 7).toString('base64'),
    SVC_METRICS_TOKEN_FILE: 'a-token-for-prometheus',
  };
  const given = Object.entries(environment).map(([name, value]) => {
    if (!name.endsWith('_FILE')) return [name, value];
    const example = examples[name];
    expect(example, name).toBeDefined();
    return [name.replace(/_FILE$/, ''), example];
  });
  return Object.fromEntries(given);
}

function expectSettings(names: readonly string[]) {
  const known = Object.keys(settings).flatMap((name) => [name, `${name}_FILE`]);
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
}

test('the Kubernetes settings make a valid production configuration', () => {
  const { data } = one('ConfigMap');
  expectSettings(Object.keys(data));
  expect(readConfig(inFiles(data)).environment).toBe('production');
});

test.each(['Deployment', 'Job', 'CronJob'])(
  'the pods of the %s run unprivileged, on a read-only root',
  (kind) => {
    const { spec: of } = one(kind);
    const { spec } = (of.jobTemplate?.spec ?? of).template;
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, runAsUser: 10_001, fsGroup: 10_001 },
    });
    const [container] = spec.containers;
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.envFrom).toEqual([{ configMapRef: { name: one('ConfigMap').metadata.name } }]);
    const [{ name, mountPath }] = container.volumeMounts;
    expect(spec.volumes).toMatchObject([{ name, secret: { defaultMode: 0o440 } }]);
    for (const [key, value] of Object.entries<string>(one('ConfigMap').data)) {
      if (key.endsWith('_FILE')) expect(value.startsWith(`${mountPath}/`), key).toBe(true);
    }
  },
);

test('probes, services and the disruption budget fit the pods', () => {
  const { spec } = one('Deployment');
  const { metadata, spec: pod } = spec.template;
  const [container] = pod.containers;
  const { data } = one('ConfigMap');
  expect(container.ports).toEqual([
    { name: 'http', containerPort: Number(data.PORT) },
    { name: 'metrics', containerPort: Number(data.SVC_METRICS_PORT) },
  ]);
  expect(container.startupProbe.httpGet).toEqual({ path: '/livez', port: 'http' });
  expect(container.livenessProbe.httpGet).toEqual({ path: '/livez', port: 'http' });
  expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' });
  const { drainSeconds } = readConfig(inFiles(data));
  const { periodSeconds, failureThreshold } = container.readinessProbe;
  expect(periodSeconds * failureThreshold).toBeLessThan(drainSeconds);
  // The drain, 10 s for requests, 16 s for webhook attempts.
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(drainSeconds + 26);

  expect(spec.selector.matchLabels).toEqual(metadata.labels);
  const budget = one('PodDisruptionBudget').spec;
  expect(budget).toEqual({ maxUnavailable: 1, selector: { matchLabels: metadata.labels } });
  expect(spec.replicas).toBeGreaterThan(budget.maxUnavailable);
  const ports = container.ports.map((it: { name: string }) => it.name);
  for (const service of documents.filter((it: Labeled) => it.kind === 'Service')) {
    expect(service.spec.selector).toEqual(metadata.labels);
    for (const port of service.spec.ports) expect(ports).toContain(port.targetPort);
  }
  // The pods of the migration and of the partitions must not get traffic.
  expect(one('Job').spec.template.metadata.labels).not.toEqual(metadata.labels);
  const { template } = one('CronJob').spec.jobTemplate.spec;
  expect(template.metadata.labels).not.toEqual(metadata.labels);
});

test('the kustomization has every manifest except the migration and the partitions, which not every service needs', () => {
  const { resources } = parse(read('kubernetes/kustomization.yaml'));
  const others = readdirSync(join(deploy, 'kubernetes')).filter(
    (name) => !['kustomization.yaml', 'migrate-job.yaml', 'partitions-cronjob.yaml'].includes(name),
  );
  expect(new Set(resources)).toEqual(new Set(others));
});

test('the compose file runs the service unprivileged, after the migration', () => {
  const { services, secrets } = parse(read('container/compose.yaml'), { merge: true });
  for (const service of [services.svc, services.migrate]) {
    expect(service).toMatchObject({
      user: '10001:10001',
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expectSettings(Object.keys(service.environment));
    for (const name of service.secrets) expect(secrets).toHaveProperty(name);
  }
  expect(services.svc.command).toEqual(['serve']);
  expect(Object.keys(services.svc.depends_on)).toEqual(['migrate']);
  expect(services.svc.build.dockerfile).toBe('../deploy/container/Containerfile');
});

test('the container file unpacks the archive, and runs as a user without rights', () => {
  const text = read('container/Containerfile');
  const instructions = text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(' ')[0]);
  // No RUN: nothing is installed or compiled.
  expect(new Set(instructions)).toEqual(
    new Set(
      'ARG FROM ADD WORKDIR ENV USER EXPOSE STOPSIGNAL HEALTHCHECK ENTRYPOINT CMD'.split(' '),
    ),
  );
  expect(text).toContain('USER 10001:10001');
  expect(text).toContain('/livez');
  expectSettings([...text.matchAll(/(?<=\s)(?:SVC_\w+|PORT)(?==)/g)].map(([name]) => name));
});

test.each([
  ['svc.service', 'serve'],
  ['svc-partitions.service', 'migrate partitions --reason monthly'],
])('the systemd unit %s runs as a separate user, with secrets as credentials', (unit, command) => {
  const lines = read(`systemd/${unit}`).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'DynamicUser=yes',
      'ProtectSystem=strict',
      'NoNewPrivileges=yes',
      `ExecStart=/opt/svc/bin/svc ${command}`,
    ]),
  );
  const credentials = lines.flatMap((line) => /^LoadCredential=(\w+):/.exec(line)?.[1] ?? []);
  const assigned = lines
    .filter((line) => line.startsWith('Environment='))
    .flatMap((line) => line.slice('Environment='.length).split(' '))
    .map((pair) => pair.split('='));
  expectSettings(assigned.map(([name = '']) => name).filter((name) => name !== 'NODE_ENV'));
  for (const [name = '', value = ''] of assigned) {
    if (name.endsWith('_FILE')) expect(credentials).toContain(value.replace('%d/', ''));
  }
});
