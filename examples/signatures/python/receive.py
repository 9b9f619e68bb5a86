import os

from flask import Flask, request
from standardwebhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ["SVC_WEBHOOK_SECRET"])
app = Flask(__name__)


@app.post("/webhooks/svc")
def receive():
    try:
        event = webhook.verify(request.get_data(), request.headers)
    except WebhookVerificationError as error:
        return str(error), 400, {"Content-Type": "text/plain"}  # The console shows it.
    print(event["id"], event["type"])  # Retries keep the id: skip ids you have processed.
    return "", 204  # Respond within 15 seconds; queue longer work.
