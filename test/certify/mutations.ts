/** One mistake that partners make, as a change to a portal that is correct. */
export interface Mutation {
  readonly name: string;
  readonly portal: 'portal.mjs' | 'portal.py' | 'portal.go' | 'portal.php';
  /** The text to replace, which occurs exactly once, and the text that takes its place. */
  readonly replace: readonly (readonly [correct: string, broken: string])[];
  /** The cases of `svc certify` of which at least the first has to fail. */
  readonly cases: readonly string[];
  /** In the cause that the failed case gives. */
  readonly cause: RegExp;
}

export const mutations: readonly Mutation[] = [
  {
    name: 'does not check signatures',
    portal: 'portal.py',
    replace: [['    verify(body, headers)\n    event', '    event']],
    cases: ['handshake'],
    cause: /does not check the signature/,
  },
  {
    name: 'verifies the parsed body',
    portal: 'portal.mjs',
    replace: [
      ['verifyWebhook(body, request', 'verifyWebhook(JSON.stringify(JSON.parse(body)), request'],
    ],
    cases: ['raw_body'],
    cause: /parsed body/,
  },
  {
    name: 'verifies the parsed body, in Python',
    portal: 'portal.py',
    replace: [
      [
        '    verify(body, headers)\n',
        '    verify(json.dumps(json.loads(body), separators=(",", ":")).encode(), headers)\n',
      ],
    ],
    cases: ['raw_body'],
    cause: /parsed body/,
  },
  {
    name: 'accepts old timestamps',
    portal: 'portal.go',
    replace: [
      ['if err != nil || time.Since(time.Unix(sentAt, 0)).Abs() > tolerance {', 'if err != nil {'],
    ],
    cases: ['old_timestamp'],
    cause: /timestamp/,
  },
  {
    name: 'compares only the first signature',
    portal: 'portal.py',
    replace: [['.split(" ")\n    if', '.split(" ")[:1]\n    if']],
    cases: ['rotated_secret'],
    cause: /first signature/,
  },
  {
    name: 'verifies only the signature’s id',
    portal: 'portal.go',
    replace: [['\tmac.Write(text)\n\texpected', '\texpected']],
    cases: ['handshake'],
    cause: /refuses a webhook that is valid/,
  },
  {
    name: 'refuses event types that it does not know',
    portal: 'portal.mjs',
    replace: [
      [
        '  if (event.test || event.custom) return;\n',
        '  if (event.test || event.custom) return;\n  if (!/^(plan|settlement|installment|application|tenant|autopay|repayment|charge)\\./.test(event.type)) throw new Error(event.type);\n',
      ],
    ],
    cases: ['unknown_type'],
    cause: /types that it has no handler for/,
  },
  {
    name: 'refuses fields that it does not know',
    portal: 'portal.py',
    replace: [
      [
        '    event = json.loads(body)\n',
        '    event = json.loads(body)\n    known = {"id", "type", "timestamp", "api_version", "environment", "pms", "external_id", "simulated", "test", "custom", "data"}\n    if set(event) - known:\n        raise ValueError("unknown field")\n',
      ],
    ],
    cases: ['unknown_field'],
    cause: /field/,
  },
  {
    name: 'has a limit of 100 kB',
    portal: 'portal.mjs',
    replace: [['const mostBytes = 1_000_000', 'const mostBytes = 100_000']],
    cases: ['large_body'],
    cause: /kB|large/,
  },
  {
    name: 'takes one webhook at a time, for seconds',
    portal: 'portal.py',
    replace: [
      ['        handle(event)\n', '        time.sleep(1)\n        handle(event)\n'],
      ['class Server(ThreadingHTTPServer)', 'class Server(HTTPServer)'],
      [
        'import BaseHTTPRequestHandler, ThreadingHTTPServer',
        'import BaseHTTPRequestHandler, HTTPServer',
      ],
    ],
    cases: ['burst'],
    cause: /at once/,
  },
  {
    name: 'debits for a test',
    portal: 'portal.go',
    replace: [['if e.Test || e.Custom {', 'if e.Custom {']],
    cases: ['test_mark'],
    cause: /test/,
  },
  {
    name: 'debits for a custom event',
    portal: 'portal.mjs',
    replace: [['if (event.test || event.custom) return;', 'if (event.test) return;']],
    cases: ['test_mark'],
    cause: /custom/,
  },
  {
    name: 'ignores duplicates badly: debits each delivery',
    portal: 'portal.mjs',
    replace: [
      ['  if (handledIds.has(event.id)) return;\n', ''],
      ['inFlight.get(event.id) ?? handle(event)', 'handle(event)'],
      ['debits.set(key, amount_in_cents)', 'debits.set(key + debits.size, amount_in_cents)'],
    ],
    cases: ['duplicates', 'debited_once'],
    cause: /debits each time/,
  },
  {
    name: 'handles two copies that arrive at once',
    portal: 'portal.mjs',
    replace: [
      ['inFlight.get(event.id) ?? handle(event)', 'handle(event)'],
      ['debits.set(key, amount_in_cents)', 'debits.set(key + debits.size, amount_in_cents)'],
    ],
    cases: ['duplicates'],
    cause: /debits each time/,
  },
  {
    name: 'trusts the order of a plan’s events',
    portal: 'portal.mjs',
    replace: [['  if (known && known.version >= data.object_version) return;\n', '']],
    cases: ['reordered', 'late'],
    cause: /order|object_version/,
  },
  {
    name: 'trusts the order, in Python',
    portal: 'portal.py',
    replace: [['    if data["object_version"] <= known["version"]:\n        return\n', '']],
    cases: ['reordered', 'late'],
    cause: /order|object_version/,
  },
  {
    name: 'trusts the order, in Go',
    portal: 'portal.go',
    replace: [
      [
        '\tif e.Data.ObjectVersion <= known.version {\n\t\treturn\n\t}\n\tknown.version = e.Data.ObjectVersion\n\tif state',
        '\tif state',
      ],
    ],
    cases: ['reordered', 'late'],
    cause: /order|object_version/,
  },
  {
    name: 'trusts the order, in PHP',
    portal: 'portal.php',
    replace: [
      ["    if ($data['object_version'] <= $known['version']) {\n        return;\n    }\n", ''],
    ],
    cases: ['reordered', 'late'],
    cause: /order|object_version/,
  },
  {
    name: 'debits each copy, in PHP',
    portal: 'portal.php',
    replace: [
      ["        $stored['handled_ids'][$event['id']] = true;\n", ''],
      [
        "$settlement['debits'][$key] = $event['data']['amount_in_cents'];",
        "$settlement['debits'][] = $event['data']['amount_in_cents'];",
      ],
    ],
    cases: ['duplicates', 'debited_once'],
    cause: /debits each time/,
  },
  {
    name: 'answers 200 to everything, in PHP',
    portal: 'portal.php',
    replace: [['    http_response_code($status);\n', '']],
    cases: ['handshake'],
    cause: /does not check the signature/,
  },
  {
    name: 'answers before it has stored',
    portal: 'portal.mjs',
    replace: [
      [
        '  await handleOnce(event);\n  answer(response, 204);',
        '  answer(response, 204);\n  setTimeout(handleOnce, 1_000, event);',
      ],
    ],
    cases: ['stored_before_answer'],
    cause: /answers before it stores/,
  },
  {
    name: 'stores plans under the wrong tenant',
    portal: 'portal.mjs',
    replace: [
      [
        '    externalId: external_id,\n    version: data',
        '    externalId: tenant.externalId,\n    version: data',
      ],
    ],
    cases: ['split'],
    cause: /tenant/,
  },
  {
    name: 'stores settlements under the wrong tenant',
    portal: 'portal.py',
    replace: [
      [
        '    new = {\n        "external_id": event["external_id"],',
        '    new = {\n        "external_id": TENANT["id"],',
      ],
    ],
    cases: ['split', 'debited_once'],
    cause: /tenant|settlement/,
  },
  {
    name: 'computes with floats',
    portal: 'portal.mjs',
    replace: [
      [
        'debits.set(key, amount_in_cents)',
        'debits.set(key, (amount_in_cents / 100) * 1.1 / 1.1 * 100 + 1e-9)',
      ],
    ],
    cases: ['debited_once', 'split'],
    cause: /floating-point/,
  },
  {
    name: 'debits dollars as cents',
    portal: 'portal.go',
    replace: [['.debits[key] = e.Data.AmountInCents', '.debits[key] = e.Data.AmountInCents / 100']],
    cases: ['debited_once'],
    cause: /takes cents for dollars/,
  },
  {
    name: 'debits for the plan, and again for its settlement',
    portal: 'portal.py',
    replace: [
      [
        '    settlement_of(event)["debits"][key] = event["data"]["amount_in_cents"]\n',
        '    settlement_of(event)["debits"][key] = event["data"]["amount_in_cents"]\n    settlement_of(event)["debits"][event["id"]] = event["data"]["amount_in_cents"]\n',
      ],
    ],
    cases: ['debited_once'],
    cause: /debits each time/,
  },
  {
    name: 'never debits',
    portal: 'portal.go',
    replace: [['if e.Type == "settlement.created" {', 'if e.Type == "settlement.ready" {']],
    cases: ['debited_once'],
    cause: /skips tenants/,
  },
  {
    name: 'never reports',
    portal: 'portal.mjs',
    replace: [['await svc.settlements.update(settlement_id, {', 'await Promise.resolve({']],
    cases: ['reported'],
    cause: /report/,
  },
  {
    name: 'accepts a webhook although its report failed',
    portal: 'portal.py',
    replace: [
      [
        '    call_svc("PATCH", f"/settlements/{settlement_id}", report)\n',
        '    try:\n        call_svc("PATCH", f"/settlements/{settlement_id}", report)\n    except Exception as error:\n        print(error)\n',
      ],
    ],
    cases: ['report_repeated'],
    cause: /although its report failed/,
  },
  {
    name: 'marks a webhook as handled before it is',
    portal: 'portal.go',
    replace: [
      [
        '\tif err := handle(e); err != nil {\n\t\treturn err\n\t}\n\thandledIDs[e.ID] = true\n\treturn nil\n',
        '\thandledIDs[e.ID] = true\n\treturn handle(e)\n',
      ],
    ],
    cases: ['report_repeated'],
    cause: /handled before its work is done/,
  },
  {
    name: 'reports without the processor’s id',
    portal: 'portal.py',
    replace: [['"verified", "processor_transaction_id": f"tr_{key}"}', '"verified"}']],
    cases: ['daily_report'],
    cause: /debits without their ids/,
  },
  {
    name: 'reports the same id for every debit',
    portal: 'portal.go',
    replace: [['"tr_" + key,', '"tr_debit",']],
    cases: ['daily_report'],
    cause: /one id for several debits/,
  },
  {
    name: 'forgets returns',
    portal: 'portal.mjs',
    replace: [
      [
        '  settlement.status = new_status ?? settlement.status;',
        "  if (new_status !== 'returned') settlement.status = new_status ?? settlement.status;",
      ],
    ],
    cases: ['returned'],
    cause: /return/,
  },
  {
    name: 'forgets returns, in PHP',
    portal: 'portal.php',
    replace: [["        $settlement['debits'] = []; // the bank has taken the money back\n", '']],
    cases: ['returned'],
    cause: /return/,
  },
  {
    name: 'forgets plans that are canceled',
    portal: 'portal.py',
    replace: [['    "plan.canceled": "canceled",\n', '']],
    cases: ['first_payment_failed'],
    cause: /canceled/,
  },
  {
    name: 'redirects the webhook',
    portal: 'portal.go',
    replace: [
      [
        'routes.HandleFunc("POST /webhooks", receiveWebhook)',
        'routes.HandleFunc("POST /webhooks/", receiveWebhook)',
      ],
    ],
    cases: ['handshake'],
    cause: /redirects/,
  },
  {
    name: 'never answers',
    portal: 'portal.mjs',
    replace: [
      ['  await handleOnce(event);\n  answer(response, 204);', '  await handleOnce(event);'],
    ],
    cases: ['handshake'],
    cause: /answer/,
  },
  {
    name: 'has the key in the page',
    portal: 'portal.mjs',
    replace: [
      [
        '    pms,\n    externalId: tenant.externalId,\n    balance',
        '    pms,\n    apiKey,\n    externalId: tenant.externalId,\n    balance',
      ],
    ],
    cases: ['key_in_page'],
    cause: /API key/,
  },
  {
    name: 'has a policy that blocks the frame',
    portal: 'portal.mjs',
    replace: [['frame-src', 'media-src']],
    cases: ['csp'],
    cause: /frame-src/,
  },
  {
    name: 'signs with the wrong text',
    portal: 'portal.py',
    replace: [['f"{PMS}+{TENANT[\'id\']}".encode()', 'f"{PMS}:{TENANT[\'id\']}".encode()']],
    cases: ['signature'],
    cause: /signature/,
  },
  {
    name: 'has a container that is too low',
    portal: 'portal.mjs',
    replace: [['min-height: 250px', 'height: 120px; overflow: hidden']],
    cases: ['sizes'],
    cause: /250|height/,
  },
  {
    name: 'keeps the first token',
    portal: 'portal.go',
    replace: [
      [
        "          const { token } = await (await fetch('/token', { method: 'POST' })).json();",
        "          const { token } = window.first ??= await (await fetch('/token', { method: 'POST' })).json();",
      ],
    ],
    cases: ['token_expired'],
    cause: /token/,
  },
];
