import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '../../apps/server/src/config.ts';
import type { AchSettings } from '../../apps/server/src/processors/ach/ach-settings.ts';
import { ROOT } from '../steps/run-command.mjs';
import { inFiles, unknownSettings } from './deploy-settings.ts';
import { findProgram } from './find-program.ts';
import { currentVersion } from './set-version.ts';

const helm = findProgram('helm', 'HELM_BIN');
const chart = join(ROOT, 'deploy/helm');
const folder = mkdtempSync(join(tmpdir(), 'svc-helm-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The values that an operator must set. */
const required = {
  image: { repository: 'registry.example/svc' },
  publicOrigin: 'https://svc.example',
  lender: {
    name: 'Example Bank',
    address: '1 Example Street, Exampleville, TX 00000',
    supportEmail: 'help@bank.example',
  },
  mail: { from: 'no-reply@bank.example' },
};
const ach = {
  kind: 'ach',
  ach: {
    bankRoutingNumber: '021000021',
    bankName: 'EXAMPLE BANK',
    originId: '1234567890',
    companyId: '1234567890',
    companyName: 'EXAMPLE',
  },
};

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own shape, which the tests compare.
  readonly spec: any; // oxlint-disable-line typescript/no-explicit-any
}

async function runHelm(command: string[], values: object): Promise<string> {
  const file = join(folder, 'values.yaml');
  writeFileSync(file, JSON.stringify(values));
  const { stdout } = await promisify(execFile)(helm ?? '', [...command, '--values', file], {
    // The plugins and settings of this machine are not used.
    env: {
      PATH: process.env.PATH,
      HELM_CONFIG_HOME: folder,
      HELM_CACHE_HOME: folder,
      HELM_DATA_HOME: folder,
    },
  });
  return stdout;
}

async function render(values: object = required): Promise<Manifest[]> {
  const output = await runHelm(['template', 'svc', chart, '--namespace', 'svc'], values);
  // Kubernetes reads YAML 1.1, where 0440 is octal.
  const documents = parseAllDocuments(output, { version: '1.1' }).map((it) => it.toJS());
  return documents.filter((it) => it !== null);
}

function one(manifests: readonly Manifest[], kind: string): Manifest {
  const found = manifests.filter((it) => it.kind === kind);
  expect(found.length, kind).toBe(1);
  return found[0] as Manifest;
}

/** Returns the pod template of a Deployment, a Job or a CronJob. */
function podsOf({ spec }: Manifest) {
  return (spec.jobTemplate?.spec ?? spec).template;
}

function environmentOf(manifest: Manifest): Record<string, string> {
  const [container] = podsOf(manifest).spec.containers;
  return Object.fromEntries(
    container.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
  );
}

function configOf(manifests: readonly Manifest[]) {
  const environment = environmentOf(one(manifests, 'Deployment'));
  expect(unknownSettings(Object.keys(environment))).toEqual([]);
  return readConfig(inFiles(environment));
}

describe.skipIf(helm === undefined)('the Helm chart (needs HELM_BIN, or helm on PATH)', () => {
  test('passes the linter, and deploys the image of its own version', async () => {
    await runHelm(['lint', chart, '--strict'], required);
    const [container] = podsOf(one(await render(), 'Deployment')).spec.containers;
    expect(container.image).toBe(`registry.example/svc:${currentVersion()}`);
    const digest = `sha256:${'0'.repeat(64)}`;
    const pinned = await render({ ...required, image: { ...required.image, digest } });
    for (const kind of ['Deployment', 'Job']) {
      const [{ image }] = podsOf(one(pinned, kind)).spec.containers;
      expect(image).toBe(`registry.example/svc@${digest}`);
    }
  });

  test('the required values make a valid production configuration that trusts no proxy', async () => {
    const config = configOf(await render());
    expect(config).toMatchObject({ environment: 'production', processor: undefined });
    // Every pod of a trusted network can claim any address, so the operator names the proxies.
    expect(config.trustedProxies).toEqual([]);
    expect(config.smtpUrl).toBeDefined();
    expect(config.metricsPort).toBe(9400);
  });

  test('a processor, proxies, no mail, no metrics and any other setting reach the service', async () => {
    const manifests = await render({
      ...required,
      processor: { kind: 'stripe' },
      trustedProxies: ['10.42.7.0/28', '10.42.8.1'],
      mail: { enabled: false },
      metrics: { enabled: false },
      settings: { SVC_LOG_LEVEL: 'debug', SVC_MAX_CONNECTIONS: '1000000' },
    });
    const config = configOf(manifests);
    expect(config).toMatchObject({
      processor: 'stripe',
      logLevel: 'debug',
      maxConnections: 1_000_000,
    });
    expect(config.trustedProxies).toHaveLength(2);
    expect([config.smtpUrl, config.metricsPort]).toEqual([undefined, undefined]);
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names).not.toContain('Service svc-metrics');
    expect(one(manifests, 'NetworkPolicy').spec.ingress).toHaveLength(1);
  });

  test('ACH files are in one folder, which all pods of the service share', async () => {
    const manifests = await render({ ...required, processor: ach });
    const { processorSettings, processor } = configOf(manifests);
    expect(processor).toBe('ach');
    const { folder } = processorSettings as AchSettings;
    const { containers, volumes } = podsOf(one(manifests, 'Deployment')).spec;
    expect(containers[0].volumeMounts[1]).toEqual({ name: 'ach', mountPath: folder });
    const claim = one(manifests, 'PersistentVolumeClaim');
    expect(volumes[1]).toEqual({
      name: 'ach',
      persistentVolumeClaim: { claimName: claim.metadata.name },
    });
    expect(claim.spec.accessModes).toEqual(['ReadWriteMany']);
    // The migration runs before the claim exists, and would wait for it forever.
    expect(podsOf(one(manifests, 'Job')).spec.volumes).toHaveLength(1);

    const own = { ...ach, ach: { ...ach.ach, existingClaim: 'bank-files' } };
    const withOwn = await render({ ...required, processor: own });
    expect(withOwn.map(({ kind }) => kind)).not.toContain('PersistentVolumeClaim');
    const [, volume] = podsOf(one(withOwn, 'Deployment')).spec.volumes;
    expect(volume.persistentVolumeClaim.claimName).toBe('bank-files');
  });

  test('only the ingress controller and Prometheus reach the pods', async () => {
    const manifests = await render();
    const { spec } = one(manifests, 'NetworkPolicy');
    expect(spec.podSelector.matchLabels).toEqual(
      podsOf(one(manifests, 'Deployment')).metadata.labels,
    );
    expect(spec.policyTypes).toEqual(['Ingress']);
    const ports = spec.ingress.flatMap((it: { ports: { port: string }[] }) => it.ports);
    expect(ports).toEqual([{ port: 'http' }, { port: 'metrics' }]);
    for (const { from } of spec.ingress) expect(from.length).toBeGreaterThan(0);
    const { rules, tls } = one(manifests, 'Ingress').spec;
    expect([rules[0].host, tls[0].hosts]).toEqual(['svc.example', ['svc.example']]);
    expect(rules[0].http.paths[0].backend.service).toEqual({ name: 'svc', port: { name: 'http' } });
    const off = await render({
      ...required,
      ingress: { enabled: false },
      networkPolicy: { enabled: false },
    });
    const kinds = off.map(({ kind }) => kind);
    expect(kinds).not.toContain('Ingress');
    expect(kinds).not.toContain('NetworkPolicy');
  });

  test.each(['Deployment', 'Job', 'CronJob'])(
    'the pods of the %s run unprivileged, on a read-only root',
    async (kind) => {
      const manifests = await render({ ...required, partitions: { enabled: true } });
      const { spec } = podsOf(one(manifests, kind));
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
      const environment = environmentOf(one(manifests, kind));
      expect(environment).toEqual(environmentOf(one(manifests, 'Deployment')));
      const [{ name, mountPath }] = container.volumeMounts;
      const secretName = kind === 'CronJob' ? 'svc-owner' : 'svc';
      expect(spec.volumes).toEqual([{ name, secret: { secretName, defaultMode: 0o440 } }]);
      for (const [key, value] of Object.entries(environment)) {
        if (key.endsWith('_FILE')) expect(value.startsWith(`${mountPath}/`), key).toBe(true);
      }
    },
  );

  test('probes, services and the disruption budget fit the pods', async () => {
    const manifests = await render({ ...required, drainSeconds: 20 });
    const deployment = one(manifests, 'Deployment');
    const { metadata, spec: pod } = podsOf(deployment);
    const [container] = pod.containers;
    const environment = environmentOf(deployment);
    expect(container.ports).toEqual([
      { name: 'http', containerPort: Number(environment.PORT) },
      { name: 'metrics', containerPort: Number(environment.SVC_METRICS_PORT) },
    ]);
    expect(container.startupProbe.httpGet).toEqual({ path: '/livez', port: 'http' });
    expect(container.livenessProbe.httpGet).toEqual({ path: '/livez', port: 'http' });
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' });
    const { drainSeconds } = configOf(manifests);
    expect(drainSeconds).toBe(20);
    const { periodSeconds, failureThreshold } = container.readinessProbe;
    expect(periodSeconds * failureThreshold).toBeLessThan(drainSeconds);
    // The drain, 10 s for requests, 16 s for webhook attempts.
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(drainSeconds + 26);

    const labels = metadata.labels;
    expect(deployment.spec.selector.matchLabels).toEqual(labels);
    const budget = one(manifests, 'PodDisruptionBudget').spec;
    expect(budget).toEqual({ maxUnavailable: 1, selector: { matchLabels: labels } });
    expect(deployment.spec.replicas).toBeGreaterThan(budget.maxUnavailable);
    const ports = container.ports.map((it: { name: string }) => it.name);
    const services = manifests.filter(({ kind }) => kind === 'Service');
    expect(services.map(({ metadata }) => metadata.name)).toEqual(['svc', 'svc-metrics']);
    for (const service of services) {
      expect(service.spec.selector).toEqual(labels);
      for (const port of service.spec.ports) expect(ports).toContain(port.targetPort);
    }
  });

  test('the migration runs before anything else, and its pods get no traffic', async () => {
    const manifests = await render({ ...required, partitions: { enabled: true } });
    const job = one(manifests, 'Job');
    expect(job.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    const [container] = podsOf(job).spec.containers;
    expect(container.args).toEqual(['migrate', 'apply']);
    const serving = podsOf(one(manifests, 'Deployment')).metadata.labels;
    for (const kind of ['Job', 'CronJob']) {
      const labels = podsOf(one(manifests, kind)).metadata.labels;
      expect(labels['app.kubernetes.io/name']).not.toBe(serving['app.kubernetes.io/name']);
    }
    const creating = await render({ ...required, migration: { createDatabase: true } });
    const [{ args }] = podsOf(one(creating, 'Job')).spec.containers;
    expect(args).toEqual(['migrate', 'apply', '--create-database']);
  });

  test.each([
    ['no repository', { image: { repository: '' } }, 'Set image.repository'],
    ['no origin', { publicOrigin: '' }, 'Set publicOrigin'],
    ['an origin without TLS', { publicOrigin: 'http://svc.example' }, '/publicOrigin'],
    ['no sender', { mail: { from: '' } }, 'Set mail.from, or mail.enabled=false.'],
    ['an unknown processor', { processor: { kind: 'paypal' } }, '/processor/kind'],
    ['ACH without a bank', { processor: { kind: 'ach' } }, 'Set processor.ach.bankRoutingNumber.'],
    ['a setting of the chart', { settings: { PORT: '80' } }, 'The chart sets PORT itself.'],
    ['a setting as a number', { settings: { SVC_MAX_CONNECTIONS: 1_000_000 } }, 'want string'],
    ['an unknown value', { replica: 3 }, "'replica' not allowed"],
  ])('refuses %s', async (_, values, message) => {
    await expect(render({ ...required, ...values })).rejects.toMatchObject({
      stderr: expect.stringContaining(message),
    });
  });
});
