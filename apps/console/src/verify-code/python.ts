import { type Language, quote } from './language.ts';

const verify = `def verify(raw: bytes, id, timestamp, signature, secret: str, now: float) -> bool:
    if not id or not signature or not (timestamp or "").isdecimal():
        return False
    if abs(now - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{id}.{timestamp}.".encode() + raw
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # During a rotation there is one entry per active secret; one match is enough.
    entries = [entry[3:].encode() for entry in signature.split(" ") if entry.startswith("v1,")]
    return any(hmac.compare_digest(expected, entry) for entry in entries)`;

export const python: Language = {
  name: 'Python',
  libraries: [
    {
      name: 'Standard Webhooks',
      install: 'pip install standardwebhooks flask',
      file: 'webhooks.py',
      needs:
        'Flask. Svix 2 verifies too, but its verify() returns None: parse the body yourself then.',
      code: (path) => `import os

from flask import Flask, request
from standardwebhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["SVC_WEBHOOK_SECRET"])
app = Flask(__name__)


@app.post(${quote(path)})
def receive():
    try:
        event = webhook.verify(request.get_data(), request.headers)
    except WebhookVerificationError as error:
        return str(error), 400, {"Content-Type": "text/plain"}  # Shown in this console.
    print(event["id"], event["type"])  # Retries keep the id: skip ids you have processed.
    return "", 204  # Respond within 15 seconds; queue longer work.
`,
    },
  ],
  manual: {
    file: 'webhooks.py',
    needs: 'Python 3.9 and Flask.',
    verify,
    code: (path) => `import base64, hashlib, hmac, os, time
from flask import Flask, request

app = Flask(__name__)
secret = os.environ["SVC_WEBHOOK_SECRET"]


@app.post(${quote(path)})
def receive():
    raw = request.get_data()  # Read it first: the signature covers the raw bytes.
    names = ("id", "timestamp", "signature")
    id, timestamp, signature = (request.headers.get("webhook-" + name) for name in names)
    if not verify(raw, id, timestamp, signature, secret, time.time()):
        return "", 400
    event = request.get_json()
    print(id, event["type"])  # Retries keep the id: skip ids you have processed.
    return "", 204  # Respond within 15 seconds; queue longer work.


${verify}
`,
  },
};
