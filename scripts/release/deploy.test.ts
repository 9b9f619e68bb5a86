import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../apps/server/src/config.ts';
import { ROOT } from '../steps/run-command.mjs';
import { inFiles, unknownSettings } from './deploy-settings.ts';

const deploy = join(ROOT, 'deploy');
const read = (path: string) => readFileSync(join(deploy, path), 'utf8');

test.each(['systemd/settings', 'container/compose.yaml'])(
  '%s says how to start without a mail server',
  (file) => {
    expect(unknownSettings(['SVC_MAIL'])).toEqual([]);
    expect(read(file)).toMatch(/^\s*#.*SVC_MAIL(: |=)none/m);
  },
);

test('the compose file runs the service unprivileged, after the migration', () => {
  const { services, secrets } = parse(read('container/compose.yaml'), { merge: true });
  for (const service of [services.svc, services.migrate]) {
    expect(service).toMatchObject({
      user: '10001:10001',
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(unknownSettings(Object.keys(service.environment))).toEqual([]);
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
      expect(unknownSettings(Object.keys(all))).toEqual([]);
      const given = Object.entries<string>(all).map(([key, value]) => {
        const asked = /^\$\{(\w+):(-|\?)/.exec(value);
        if (asked === null) return [key, value] as const;
        return [key, asked[2] === '-' ? '' : (examples[asked[1] ?? ''] ?? 'EXAMPLE')] as const;
      });
      const settingsOfImage = { SVC_ENVIRONMENT: 'production' };
      const config = readConfig(inFiles({ ...settingsOfImage, ...Object.fromEntries(given) }));
      expect(config).toMatchObject({ processor, trustedProxies: [] });
      if (processor === 'ach') {
        const folder = volumes[0].split('}:')[1];
        expect(config.processorSettings).toMatchObject({ folder });
      }
    }
  },
);

test('the container file unpacks the archive, and runs as a user without rights', () => {
  const lines = read('container/Containerfile')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const instructions = new Set(lines.map((line) => line.split(' ')[0]));
  // No RUN: nothing is installed or compiled, so no platform is emulated.
  const expected =
    'ARG FROM LABEL ADD COPY WORKDIR ENV USER EXPOSE STOPSIGNAL HEALTHCHECK ENTRYPOINT CMD';
  expect(instructions).toEqual(new Set(expected.split(' ')));
  const bases = lines.filter((line) => line.startsWith('FROM ') && line.includes(':'));
  expect(bases).toHaveLength(2);
  for (const base of bases) expect(base).toMatch(/^FROM [a-z]+:[\w.-]+@sha256:[0-9a-f]{64} AS /);
  // npm and its tools are next to node in that image.
  const copied = lines.filter((line) => line.startsWith('COPY --from=node'));
  expect(copied).toEqual(['COPY --from=node /usr/local/bin/node /usr/local/bin/node']);
  const text = lines.join('\n');
  expect(text).toContain('USER 10001:10001');
  expect(text).toContain('/livez');
  expect(read('container/passwd')).toMatch(/^svc:x:10001:10001:/m);
  expect(read('container/group')).toMatch(/^svc:x:10001:$/m);
  expect(
    unknownSettings([...text.matchAll(/(?<=\s)(?:SVC_\w+|PORT)(?==)/g)].map(([name]) => name)),
  ).toEqual([]);
});

test('the settings of systemd make a valid production configuration, with the secrets of its units', () => {
  const lines = read('systemd/settings').split('\n');
  const assigned = lines
    .filter((line) => line.startsWith('SVC_'))
    .map((line) => line.split(/=(.*)/s));
  const commented = lines.flatMap((line) => /^#(SVC_\w+)=/.exec(line)?.[1] ?? []);
  expect(unknownSettings([...assigned.map(([name = '']) => name), ...commented])).toEqual([]);
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
    const script = read('systemd/svc-admin').replaceAll('/etc/svc/secrets', folder);
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
    expect(stdout).toMatch(/\n\/opt\/svc\/bin\/svc-admin\nmoney\nstop\n--reason\ntwo words\n$/);
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
      `ExecStart=/opt/svc/bin/svc-admin ${command}`,
    ]),
  );
  const credentials = lines.flatMap((line) => /^LoadCredential=(\w+):/.exec(line)?.[1] ?? []);
  const assigned = lines
    .filter((line) => line.startsWith('Environment='))
    .flatMap((line) => line.slice('Environment='.length).split(' '))
    .map((pair) => pair.split('='));
  expect(
    unknownSettings(assigned.map(([name = '']) => name).filter((name) => name !== 'NODE_ENV')),
  ).toEqual([]);
  for (const [name = '', value = ''] of assigned) {
    if (name.endsWith('_FILE')) expect(credentials).toContain(value.replace('%d/', ''));
  }
});
