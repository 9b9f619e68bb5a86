import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import vectors from '../../../../packages/contract/vectors/webhooks.json' with { type: 'json' };
import { go } from './go.ts';
import { java } from './java.ts';
import { languages } from './languages.ts';
import { node } from './node.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';

interface Case {
  words: string;
  genuine: boolean;
  now: number;
  fields: [id: string, timestamp: string, signature: string, secret: string, bodyBase64: string];
}

/** Every contract vector as is, plus copies of it that are each broken in one way. */
const cases = vectors.vectors.flatMap(
  ({ name, id, timestamp, signature, secret, body_base64 }): Case[] => {
    const right: Case['fields'] = [id, String(timestamp), signature, secret, body_base64];
    const of = (
      words: string,
      genuine: boolean,
      at: number,
      value: string,
      now = timestamp,
    ): Case => ({
      words: `${name}: ${words}`,
      genuine,
      now,
      fields: right.with(at, value) as Case['fields'],
    });
    const longer = Buffer.concat([Buffer.from(body_base64, 'base64'), Buffer.from(' ')]);
    return [
      of('as it is', true, 0, id),
      of('beside other signatures', true, 2, `v1a,zzz v1,AAAA v1 ${signature} `),
      of('almost too old', true, 0, id, timestamp + 300),
      of('too old', false, 0, id, timestamp + 301),
      of('from the future', false, 0, id, timestamp - 301),
      of('a changed body', false, 4, longer.toString('base64')),
      of('another id', false, 0, `${id}0`),
      of('another time', false, 1, String(timestamp + 1)),
      of('a time in words', false, 1, 'noon'),
      of('no signature', false, 2, 'v1,'),
      of('another version', false, 2, signature.replace('v1,', 'v2,')),
      of('another secret', false, 3, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSx'),
    ];
  },
);

function manual(language: (typeof languages)[number]): string {
  if (!language.manual) throw new Error(`${language.name} has no manual check`);
  return language.manual.verify;
}

/** For each language, a program that prints one line per case and the command that runs it. */
const programs: {
  language: (typeof languages)[number];
  command: string[];
  file: string;
  program: (arguments_: string[]) => string;
}[] = [
  {
    language: node,
    command: [process.execPath],
    file: 'check.mjs',
    program: (lines) => `import { createHmac, timingSafeEqual } from "node:crypto";
${manual(node)}
${lines.map((line) => `console.log(verify(Buffer.from(${line.replace(/,/, ', "base64"),')}));`).join('\n')}`,
  },
  {
    language: python,
    command: ['python3'],
    file: 'check.py',
    program: (lines) => `import base64, hashlib, hmac
${manual(python)}
${lines.map((line) => `print(str(verify(base64.b64decode(${line.replace(/,/, '),')})).lower())`).join('\n')}`,
  },
  {
    language: ruby,
    command: ['ruby'],
    file: 'check.rb',
    program: (lines) => `require "openssl"
${manual(ruby)}
${lines.map((line) => `puts verify(${line.replace(/,/, '.unpack1("m"),')})`).join('\n')}`,
  },
  {
    language: php,
    command: ['php'],
    file: 'check.php',
    program: (lines) => `<?php
${manual(php)}
${lines.map((line) => `echo verify(base64_decode(${line.replace(/,/, '),')}) ? "true\\n" : "false\\n";`).join('\n')}`,
  },
  {
    language: go,
    command: ['go', 'run'],
    file: 'check.go',
    program: (lines) => `package main
import ("crypto/hmac"; "crypto/sha256"; "encoding/base64"; "fmt"; "strconv"; "strings")
func raw(text string) []byte { bytes, _ := base64.StdEncoding.DecodeString(text); return bytes }
func main() {
${lines.map((line) => `fmt.Println(verify(raw(${line.replace(/,/, '),')}))`).join('\n')}
}
${manual(go)}`,
  },
  {
    language: java,
    command: ['java'],
    file: 'Check.java',
    program: (
      lines,
    ) => `import java.nio.charset.StandardCharsets; import java.security.MessageDigest;
import java.util.Base64; import javax.crypto.Mac; import javax.crypto.spec.SecretKeySpec;
class Check { public static void main(String[] none) throws Exception {
${lines.map((line) => `System.out.println(verify(Base64.getDecoder().decode(${line.replace(/,/, '),')}L));`).join('\n')}
}
${manual(java)} }`,
  },
];

for (const { language, command, file, program } of programs) {
  const [executable = '', ...options] = command;
  const there = ['--version', 'version'].some((word) => spawnSync(executable, [word]).status === 0);
  test.skipIf(!there)(
    `${language.name} without a library accepts genuine webhooks and rejects all others`,
    { timeout: 60_000 },
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'svc-verify-'));
      try {
        const lines = cases.map(({ fields: [id, timestamp, signature, secret, body], now }) =>
          [
            ...[body, id, timestamp, signature, secret].map((text) => JSON.stringify(text)),
            now,
          ].join(', '),
        );
        writeFileSync(join(folder, file), program(lines));
        const output = execFileSync(executable, [...options, file], {
          cwd: folder,
          encoding: 'utf8',
          timeout: 55_000,
        });
        const answers = output.trim().split(/\s+/);
        expect(answers).toHaveLength(cases.length);
        const wrong = cases.filter(({ genuine }, index) => answers[index] !== String(genuine));
        expect(wrong.map(({ words }) => words)).toEqual([]);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
}

test('each sample contains its check, the endpoint’s path, and the secret’s variable', () => {
  const unindented = (source: string) => source.replaceAll(/^ +/gm, '');
  for (const language of languages) {
    const { libraries, manual: own } = language;
    for (const { code } of [...libraries, ...(own ? [own] : [])]) {
      const text = code('/hooks/"quoted"');
      expect(text).toMatch(/\/hooks\/(%22|")quoted/);
      expect(text).toContain('SVC_WEBHOOK_SECRET');
      if (code === own?.code) expect(unindented(text)).toContain(unindented(own.verify));
    }
  }
});

test('each language lists a Standard Webhooks library first, with its install command', () => {
  for (const { libraries } of languages) {
    expect(libraries[0]).toMatchObject({ name: 'Standard Webhooks' });
    expect(libraries[0]?.install.toLowerCase().replace('-', '')).toContain('standardwebhooks');
  }
});
