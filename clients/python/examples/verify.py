"""Verifies messages from the standard input, one a line: keys, id, timestamp, signature and body in base64."""

import base64
import sys

import svc

for line in sys.stdin:
    keys, message_id, timestamp, signature, body = line.rstrip("\n").split("\t")
    headers = {"Webhook-Id": message_id, "Webhook-Timestamp": timestamp, "Webhook-Signature": signature}
    try:
        event = svc.verify_webhook(base64.b64decode(body), headers, keys.split())
        print("verified", event.type, event.external_id)
    except svc.WebhookVerificationError as error:
        print("refused", error)
    except (ImportError, ValueError) as error:
        print("misconfigured", error)
