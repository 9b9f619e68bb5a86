import type { Probed } from '@svc/webhooks';
import type { CertificationCase } from './case.ts';
import { describeOutcome } from './explain-answer.ts';
import { type Finding, fail, pass, skipped, warn } from './finding.ts';
import type { Message } from './stage.ts';

const verifyAdvice =
  'Verify the signature over the raw body before anything else, and answer 401 if it does not match.';
const signingDocs = '/docs/webhooks#what-is-signed';

/** Cases about how an endpoint handles single webhooks, which are marked as tests, so that it does not act on them. */
export const receiverCases: readonly CertificationCase[] = [
  {
    name: 'handshake',
    area: 'receiver',
    title: 'A valid webhook is accepted, and a forged one is refused',
    docs: signingDocs,
    async run(stage) {
      await stage.accept(stage.testMessage(), { as: 'signed' });
      const forged = await stage.deliver(stage.testMessage(), { as: 'forged', forged: true });
      return judgeRefusal(forged, {
        passed: 'It accepts a valid webhook, and refuses a forged one.',
        what: 'a webhook with a signature that does not verify',
        cause:
          'Your receiver does not check the signature, or ignores the result: anyone can send you events.',
        fix: verifyAdvice,
      });
    },
  },
  {
    name: 'raw_body',
    area: 'receiver',
    title: 'The signature is checked over the raw bytes',
    docs: '/docs/other-languages#where-the-raw-body-is',
    async run(stage) {
      const answer = await stage.deliver(rewritten(stage.testMessage()), {
        as: 'with unusual white space, escapes and order of keys',
      });
      if (answer.errorClass === null) return pass('It verifies the bytes as they were received.');
      return fail({
        summary: `${describeOutcome(answer)} to a validly signed body with unusual white space and escapes.`,
        cause:
          'Your receiver verifies the parsed body, not the raw bytes: it serializes the JSON again, which changes them.',
        fix: 'Read the raw body before any JSON parser, and verify that.',
      });
    },
  },
  {
    name: 'altered_body',
    area: 'receiver',
    title: 'A changed body is refused',
    docs: signingDocs,
    async run(stage) {
      const message = stage.testMessage();
      const body = message.body.replace(/"pms":"./, (text) => `${text.slice(0, -1)}~`);
      const answer = await stage.deliver(
        { ...message, body },
        { as: 'changed after it was signed', signedBody: message.body },
      );
      return judgeRefusal(answer, {
        passed: 'It refuses a body that was changed after it was signed.',
        what: 'a body that was changed after it was signed',
        cause: 'The text that your receiver verifies does not contain the whole body.',
        fix: 'Compute the HMAC of `{webhook-id}.{webhook-timestamp}.{body}`, with the body as received.',
      });
    },
  },
  {
    name: 'old_timestamp',
    area: 'receiver',
    title: 'An old webhook is refused',
    docs: signingDocs,
    async run(stage) {
      const answer = await stage.deliver(stage.testMessage(), {
        as: 'signed ten minutes ago',
        signedAt: new Date(stage.now.getTime() - 10 * 60_000),
      });
      return judgeRefusal(answer, {
        passed: 'It refuses a webhook that was signed ten minutes ago.',
        what: 'a webhook that was signed ten minutes ago',
        cause:
          'Your receiver does not compare webhook-timestamp with its clock, so a recorded request can be sent again later.',
        fix: 'Refuse a webhook-timestamp that is more than five minutes off.',
      });
    },
  },
  {
    name: 'rotated_secret',
    area: 'receiver',
    title: 'One of several signatures is enough',
    docs: '/docs/webhooks#secrets',
    async run(stage) {
      const answer = await stage.deliver(stage.testMessage(), {
        as: 'with the signature of another secret first',
        foreignFirst: true,
      });
      if (answer.errorClass === null) return pass('It accepts a webhook with two signatures.');
      return fail({
        summary: `${describeOutcome(answer)} to a webhook with two signatures, the second of which is valid.`,
        cause:
          'Your receiver compares only the first signature of webhook-signature, so the rotation of a secret will stop it.',
        fix: 'Split webhook-signature at the spaces, and accept the webhook if one of them matches.',
      });
    },
  },
  {
    name: 'unknown_type',
    area: 'receiver',
    title: 'An event type that it does not know is accepted',
    docs: '/docs/events',
    async run(stage) {
      if (stage.endpoint.event_types !== null) {
        return skipped('The endpoint subscribes to single types, so it gets no others.');
      }
      // Not marked as a test: a receiver that skips tests would not look at the type.
      const message = stage.testMessage({
        type: 'lease.renewed',
        externalId: stage.nextTenantId(),
        marks: {},
        data: { lease_id: 'L-1' },
      });
      const answer = await stage.deliver(message);
      if (answer.errorClass === null)
        return pass('It accepts an event type that it does not know.');
      return fail({
        summary: `${describeOutcome(answer)} to a type that it does not know.`,
        cause:
          'Your receiver refuses types that it has no handler for. We add types, and would send each of their events eight times.',
        fix: 'Answer 2xx to types that you do not handle.',
      });
    },
  },
  {
    name: 'unknown_field',
    area: 'receiver',
    title: 'A field that it does not know is ignored',
    docs: '/docs/versioning',
    async run(stage) {
      const message = stage.testMessage({
        externalId: stage.nextTenantId(),
        marks: stage.subscribes('tenant.updated') ? {} : { test: true },
        data: { added_later: { list: [1, null, 'two'] } },
      });
      const body = message.body.replace('"api_version"', '"added_later":"yes","api_version"');
      const answer = await stage.deliver(
        { ...message, body },
        { as: 'with fields of a later version' },
      );
      if (answer.errorClass === null) return pass('It ignores fields that it does not know.');
      return fail({
        summary: `${describeOutcome(answer)} to ${message.type} with a field that it does not know.`,
        cause:
          'Your receiver parses events into a type that allows no other fields. We add fields without a new version.',
        fix: 'Ignore fields that you do not know, in the envelope and in data.',
      });
    },
  },
  {
    name: 'large_body',
    area: 'receiver',
    title: 'A large body is accepted',
    docs: '/docs/webhooks#the-body',
    async run(stage) {
      const largest = await stage.deliver(padded(stage.testMessage(), 256 * 1024), {
        as: 'of 256 KiB',
      });
      if (largest.status === 413) {
        return warn({
          summary: `${describeOutcome(largest)} to a body of 256 KiB.`,
          cause:
            'Your framework or proxy limits bodies to less than our largest ones. Our own events are a few kilobytes; only one that you publish can be this large.',
          fix: 'Raise the limit of this route to 256 KiB.',
        });
      }
      if (largest.errorClass !== null) {
        return fail({
          summary: `${describeOutcome(largest)} to a body of 256 KiB.`,
          cause: 'Your receiver breaks on a large body.',
          fix: 'Read the body in full, up to 256 KiB, and answer 413 to a larger one.',
        });
      }
      const larger = await stage.deliver(padded(stage.testMessage(), 400_000), { as: 'of 400 kB' });
      if (larger.errorClass === null || larger.status === 413) {
        return pass(`It accepts 256 KiB, and answered ${larger.status} to 400 kB.`);
      }
      return warn({
        summary: `${describeOutcome(larger)} to a body of 400 kB.`,
        cause:
          'Your receiver breaks on a body that is larger than any of ours, which others can send, too.',
        fix: 'Limit bodies, and answer 413 to a larger one.',
      });
    },
  },
  {
    name: 'burst',
    area: 'receiver',
    title: 'Twenty webhooks at once are accepted',
    docs: '/docs/webhooks#when-it-fails',
    async run(stage) {
      const messages = Array.from({ length: 20 }, () => stage.testMessage());
      const answers = await Promise.all(
        messages.map((message, index) =>
          stage.deliver(message, { as: `${index + 1} of 20 at once`, mayHang: true }),
        ),
      );
      const failed = answers.filter(({ errorClass }) => errorClass !== null);
      const slowest = Math.round(Math.max(...answers.map(({ times }) => times.total)));
      const [first] = failed;
      if (!first) return pass(`It accepted 20 at once, the slowest in ${slowest} ms.`);
      return fail({
        summary: `${failed.length} of 20 webhooks that were sent at once failed. ${describeOutcome(first)} to the first of them.`,
        cause:
          'Your receiver handles few requests at once: it runs out of workers, or of connections to its database.',
        fix: 'Store the event, answer, and do the work afterwards. Run more workers, or set a throttle on the endpoint.',
      });
    },
  },
  {
    name: 'keep_alive',
    area: 'receiver',
    title: 'Connections can be used again',
    docs: '/docs/webhooks#when-it-fails',
    async run(stage) {
      const answers: Probed[] = [];
      for (let number = 1; number <= 5; number += 1) {
        answers.push(await stage.deliver(stage.testMessage(), { as: `${number} of 5 in a row` }));
      }
      const failed = answers.find(({ errorClass }) => errorClass !== null);
      if (!failed) {
        const reused = answers.filter(({ times }) => times.connect === null).length;
        return pass(
          reused === 0
            ? 'It closes the connection after each response, which works and costs a handshake each time.'
            : `${reused} of 5 requests used an open connection again.`,
        );
      }
      return fail({
        summary: `${describeOutcome(failed)} to one of five webhooks in a row.`,
        cause:
          'Your server closes a connection that it has announced as open, or mixes up requests on it.',
        fix: 'Send `Keep-Alive: timeout=<seconds>` with the time after which you close, or `Connection: close`.',
      });
    },
  },
  {
    name: 'compressed_answer',
    area: 'receiver',
    title: 'The response is not compressed',
    docs: '/docs/webhooks#when-it-fails',
    async run(stage) {
      const answer = await stage.accept(stage.testMessage());
      const encoding = answer.responseHeaders['content-encoding'] ?? 'identity';
      if (encoding === 'identity') return pass('The response can be read as it is.');
      return warn({
        summary: `The response is compressed (${encoding}), though the request has Accept-Encoding: identity.`,
        cause: 'A proxy or a middleware compresses whatever the client asks for.',
        fix: 'Compress only what Accept-Encoding allows. Until then, the console cannot show your error messages.',
      });
    },
  },
  {
    name: 'test_mark',
    area: 'receiver',
    title: 'Nothing is done about tests and custom events',
    docs: '/docs/webhooks#the-body',
    needs: 'settlement.created',
    async run(stage) {
      const externalId = stage.nextTenantId();
      for (const mark of ['test', 'custom'] as const) {
        const settlement_id = stage.newId('stl');
        const fields = { type: 'settlement.created', externalId, data: { settlement_id } };
        const message = stage.testMessage({ ...fields, marks: { [mark]: true } });
        const fix = `Skip events whose envelope has test or custom before you debit: if (event.test || event.custom), answer 204 and stop.`;
        const answer = await stage.deliver(message, { as: `marked ${mark}` });
        if (answer.errorClass !== null) {
          return fail({
            summary: `${describeOutcome(answer)} to a settlement.created with ${mark}: true, about a settlement that does not exist.`,
            cause: `Your receiver acts on an event with ${mark}: true.`,
            fix,
          });
        }
        await stage.pause(400);
        const [call] = await stage.callsAbout(settlement_id);
        const view = await stage.view(externalId);
        const debited = view?.settlements?.find(({ id }) => id === settlement_id);
        if (call === undefined && !debited?.debited_in_cents) continue;
        return fail({
          summary: call
            ? `Your backend called ${call} about a settlement.created with ${mark}: true.`
            : `Your view has a debit of ${debited?.debited_in_cents} cents for a settlement.created with ${mark}: true.`,
          cause: `Your receiver acts on an event with ${mark}: true, about a settlement that does not exist: it would debit it.`,
          fix,
        });
      }
      return pass(
        stage.hasQuery
          ? 'It accepted a test and a custom settlement, and debited neither.'
          : 'It accepted a test and a custom settlement, and made no call about them.',
      );
    },
  },
];

/** Judges the response to a request that must be refused with 4xx. */
function judgeRefusal(
  answer: Probed,
  { passed, what, cause, fix }: { passed: string; what: string; cause: string; fix: string },
): Finding {
  const { status } = answer;
  if (status !== null && status >= 400 && status < 500) return pass(`${passed} (${status})`);
  const summary = `${describeOutcome(answer)} to ${what}.`;
  if (answer.errorClass === null) return fail({ summary, cause, fix });
  return warn({
    summary,
    cause: 'Your receiver refuses it with an error of the server, or a redirect.',
    fix: 'Answer 401 or 400: another failure looks like an outage, and is tried again for hours.',
  });
}

/** Writes the event as another serializer would: another order of keys, white space and escapes. */
function rewritten({ body, ...message }: Message): Message {
  const { data, ...envelope } = JSON.parse(body) as Record<string, unknown>;
  const reordered = { data, ...Object.fromEntries(Object.entries(envelope).toReversed()) };
  const text = JSON.stringify(reordered, null, 3).replace('"api_version"', '"api\\u005fversion"');
  return { ...message, body: `${text.replace('v1', '\\u0076\\u0031')}\n` };
}

function padded({ body, ...message }: Message, bytes: number): Message {
  const field = '"padding":"",';
  const padding = 'x'.repeat(bytes - Buffer.byteLength(body) - field.length);
  return { ...message, body: body.replace('"data":{', `"data":{"padding":"${padding}",`) };
}
