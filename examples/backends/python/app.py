# #region app
import hashlib
import hmac
import os
from datetime import date

import requests
from flask import Flask, request
from standardwebhooks import Webhook, WebhookVerificationError

API = "http://localhost:4000/v1"
KEY, PMS = os.environ["SVC_API_KEY"], os.environ["SVC_PMS"]
webhook = Webhook(os.environ["SVC_WEBHOOK_SECRET"])
tenant = {"id": "t-100", "balance": 152012}  # cents; replace with your signed-in tenant
app = Flask(__name__)
# #endregion


# #region signature
@app.get("/api/svc/settings")
def widget_settings():
    message = f"{PMS}+{tenant['id']}".encode()
    signature = hmac.new(KEY.encode(), message, hashlib.sha256).hexdigest()
    return {
        "pms": PMS,
        "externalId": tenant["id"],
        "balance": tenant["balance"],
        "signature": signature,
        "environment": "sandbox",
        "baseUrl": API,
    }
# #endregion


# #region token
@app.post("/api/svc/token")
def tenant_token():
    charge = {
        "id": "C-1",
        "due_date": str(date.today()),
        "amount_in_cents": tenant["balance"],
    }
    answer = requests.post(
        f"{API}/tenant/portal_info/{tenant['id']}",
        headers={"Authorization": f"Bearer {KEY}"},
        json={
            "first_name": "Ada",
            "last_name": "Lane",
            "email": "ada@example.com",
            "charges": [charge],
        },
        timeout=10,
    )
    answer.raise_for_status()
    return {"token": answer.json()["data"]["token"]}
# #endregion


# #region webhook
@app.post("/api/svc/webhooks")
def svc_webhooks():
    try:
        event = webhook.verify(request.get_data(), request.headers)
    except WebhookVerificationError as error:
        return str(error), 400
    is_real = not event.get("test") and not event.get("custom")
    if event["type"] == "settlement.created" and is_real:
        print(event["data"]["settlement_id"])  # debit it; skip an event["id"] that you have stored
    return "", 204
# #endregion
