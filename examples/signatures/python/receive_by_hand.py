import os
import time

from flask import Flask, request
from signatures import verify

app = Flask(__name__)
secret = os.environ["SVC_WEBHOOK_SECRET"]


@app.post("/webhooks/svc")
def receive():
    raw = request.get_data()  # Read it first: the signature covers the raw bytes.
    names = ("id", "timestamp", "signature")
    id, timestamp, signature = (request.headers.get("webhook-" + name) for name in names)
    if not verify(raw, id, timestamp, signature, secret, time.time()):
        return "", 400
    event = request.get_json()
    print(id, event["type"])  # Retries keep the id: skip ids you have processed.
    return "", 204  # Respond within 15 seconds; queue longer work.
