import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
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

const manifests = readdirSync(join(deploy, 'kubernetes')).filter((name) => name.endsWith('.yaml'));
const documents = manifests
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
    SVC_SECRET_KEY_FILE: randomBytes(32).toString('base64'),
    SVC_METRICS_TOKEN_FILE: 'a-token-for-prometheus',
    SVC_SMTP_URL_FILE: 'smtps://user:password@mail.example:465',
    STRIPE_SECRET_KEY_FILE: 'sk_live_123456',
    STRIPE_WEBHOOK_SECRET_FILE: 'whsec_123456',
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
  const config = readConfig(inFiles(data));
  expect(config).toMatchObject({ environment: 'production', processor: 'stripe' });
  // Every pod of a trusted network can claim any address, so the operator names the proxies.
  expect(config.trustedProxies).toEqual([]);
  expect(config.smtpUrl).toBeDefined();
});

test('the component for ACH files makes a valid configuration with a shared folder', () => {
  const component = (name: string) => parse(read(`kubernetes/ach/${name}.yaml`));
  const patched = Object.entries({ ...one('ConfigMap').data, ...component('config').data });
  const data = Object.fromEntries(patched.filter(([, value]) => value !== null));
  expectSettings(Object.keys(data));
  const { ach, processor } = readConfig(inFiles(data as Record<string, string>));
  expect(processor).toBe('ach');
  const { containers, volumes } = component('deployment').spec.template.spec;
  expect(containers[0].name).toBe(one('Deployment').spec.template.spec.containers[0].name);
  expect(containers[0].volumeMounts).toEqual([{ name: volumes[0].name, mountPath: ach?.folder }]);
  const claim = component('volume');
  expect(volumes[0].persistentVolumeClaim.claimName).toBe(claim.metadata.name);
  // Several pods write it.
  expect(claim.spec.accessModes).toEqual(['ReadWriteMany']);
  const { resources, patches } = component('kustomization');
  expect(resources).toEqual(['volume.yaml']);
  expect(patches).toEqual([{ path: 'config.yaml' }, { path: 'deployment.yaml' }]);
});

test('only the ingress controller and Prometheus reach the pods', () => {
  const { spec } = one('NetworkPolicy');
  const { template } = one('Deployment').spec;
  expect(spec.podSelector.matchLabels).toEqual(template.metadata.labels);
  const ports = spec.ingress.flatMap((it: { ports: { port: string }[] }) => it.ports);
  expect(ports).toEqual([{ port: 'http' }, { port: 'metrics' }]);
  const [rule] = one('Ingress').spec.rules;
  expect(`https://${rule.host}`).toBe(one('ConfigMap').data.SVC_PUBLIC_ORIGIN);
  expect(rule.http.paths[0].backend.service).toEqual({ name: 'svc', port: { name: 'http' } });
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
  const others = manifests.filter(
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
  // The migration and the service read the same settings.
  expect(services.migrate.environment).toEqual(services.svc.environment);
  expect(services.svc.command).toEqual(['serve']);
  expect(Object.keys(services.svc.depends_on)).toEqual(['migrate']);
  expect(services.svc.build.dockerfile).toBe('../deploy/container/Containerfile');
});

test.each(['stripe', 'ach'])(
  'compose.%s.yaml adds the processor with valid settings',
  (processor) => {
    const base = parse(read('container/compose.yaml'), { merge: true });
    const { services, secrets = {} } = parse(read(`container/compose.${processor}.yaml`));
    for (const name of ['svc', 'migrate']) {
      const { environment, secrets: used = [], volumes = [] } = services[name];
      for (const secret of used) expect(secrets).toHaveProperty(secret);
      const examples: Record<string, string> = {
        SVC_PUBLIC_ORIGIN: 'https://svc.example',
        SVC_MAIL_FROM: 'no-reply@bank.example',
        SVC_ACH_BANK_ROUTING_NUMBER: '021000021',
        SVC_ACH_ORIGIN_ID: '1234567890',
        SVC_ACH_COMPANY_ID: '1234567890',
        SVC_SUPPORT_EMAIL: 'help@bank.example',
      };
      const all = { ...base.services[name].environment, ...environment };
      expectSettings(Object.keys(all));
      const given = Object.entries<string>(all).map(([key, value]) => {
        const asked = /^\$\{(\w+):(-|\?)/.exec(value);
        if (asked === null) return [key, value] as const;
        return [key, asked[2] === '-' ? '' : (examples[asked[1] ?? ''] ?? 'EXAMPLE')] as const;
      });
      const settingsOfImage = { SVC_ENVIRONMENT: 'production' };
      const config = readConfig(inFiles({ ...settingsOfImage, ...Object.fromEntries(given) }));
      expect(config).toMatchObject({ processor, trustedProxies: [] });
      if (config.ach) expect(volumes[0].split('}:')[1]).toBe(config.ach.folder);
    }
  },
);

test.each(['systemd/settings', 'kubernetes/config.yaml', 'container/compose.yaml'])(
  '%s says how to start without a mail server',
  (file) => {
    expectSettings(['SVC_MAIL']);
    expect(read(file)).toMatch(/^\s*#.*SVC_MAIL(: |=)none/m);
  },
);

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
      'ARG FROM LABEL ADD WORKDIR ENV USER EXPOSE STOPSIGNAL HEALTHCHECK ENTRYPOINT CMD'.split(' '),
    ),
  );
  expect(text).toContain('USER 10001:10001');
  expect(text).toContain('/livez');
  expectSettings([...text.matchAll(/(?<=\s)(?:SVC_\w+|PORT)(?==)/g)].map(([name]) => name));
});

test('the settings of systemd make a valid production configuration, with the secrets of its units', () => {
  const lines = read('systemd/settings').split('\n');
  const assigned = lines
    .filter((line) => line.startsWith('SVC_'))
    .map((line) => line.split(/=(.*)/s));
  const commented = lines.flatMap((line) => /^#(SVC_\w+)=/.exec(line)?.[1] ?? []);
  expectSettings([...assigned.map(([name = '']) => name), ...commented]);
  const dropIns = readdirSync(join(deploy, 'systemd/svc.service.d'));
  const units = ['svc.service', ...dropIns.map((name) => `svc.service.d/${name}`)].map((name) =>
    read(`systemd/${name}`),
  );
  const credentials = units.flatMap((unit) => [...unit.matchAll(/^LoadCredential=(\w+):(.+)$/gm)]);
  const files = [...units.join('\n').matchAll(/(\w+_FILE)=%d\/(\w+)/g)];
  expect(new Set(files.map(([, , file]) => file))).toEqual(
    new Set(credentials.map(([, id]) => id)),
  );
  for (const [, id, path] of credentials) expect(path).toBe(`/etc/svc/secrets/${id}`);
  const environment = {
    SVC_ENVIRONMENT: 'production',
    ...Object.fromEntries(assigned),
    ...Object.fromEntries(files.map(([, name]) => [name, ''])),
  };
  const config = readConfig(inFiles(environment));
  expect(config).toMatchObject({
    processor: 'stripe',
    metricsPort: 9400,
    metricsHost: '127.0.0.1',
  });
  // The unit may write to its state folder only.
  expect(units[0]).toMatch(/^StateDirectory=svc svc\/ach$/m);
  expect(lines).toContain('#SVC_ACH_FOLDER=/var/lib/svc/ach');
});

test('the command of systemd passes settings, secrets and arguments on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-systemd-'));
  try {
    const fake = join(folder, 'systemd-run');
    writeFileSync(fake, '#!/bin/sh\nfor it in "$@"; do echo "$it"; done\n', { mode: 0o755 });
    const script = read('systemd/svc').replaceAll('/etc/svc/secrets', folder);
    const { stdout } = await promisify(execFile)(
      'sh',
      ['-c', script, 'svc', 'money', 'stop', '--reason', 'two words'],
      { env: { PATH: `${folder}:${process.env.PATH}` } },
    );
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining([
        '--property=EnvironmentFile=/etc/svc/settings',
        `--setenv=SYSTEMD-RUN_FILE=${fake}`,
      ]),
    );
    expect(stdout).toMatch(/\n\/opt\/svc\/bin\/svc\nmoney\nstop\n--reason\ntwo words\n$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
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
