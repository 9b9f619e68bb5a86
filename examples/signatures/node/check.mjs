import { readFileSync } from 'node:fs';
import { signWidget, verify } from './signatures.mjs';

const [, , widgets, webhooks] = process.argv;
for (const { api_key_base64, pms, external_id_base64 } of rows(widgets)) {
  console.log(signWidget(text(api_key_base64), pms, text(external_id_base64)));
}
for (const { body_base64, id, timestamp, signature, secret, now } of rows(webhooks)) {
  const raw = Buffer.from(body_base64, 'base64');
  console.log(verify(raw, id, timestamp, signature, secret, Number(now)));
}

function rows(path) {
  const [names, ...lines] = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  return lines.map((values) => Object.fromEntries(names.map((name, at) => [name, values[at]])));
}

function text(encoded) {
  return Buffer.from(encoded, 'base64').toString();
}
