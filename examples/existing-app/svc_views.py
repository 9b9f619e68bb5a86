# #region views
import hashlib
import hmac
import os

import requests
from django.http import HttpResponse, HttpResponseBadRequest, JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST
from standardwebhooks import Webhook, WebhookVerificationError

API = "http://localhost:4000/v1"
KEY, PMS = os.environ["SVC_API_KEY"], os.environ["SVC_PMS"]
webhook = Webhook(os.environ["SVC_WEBHOOK_SECRET"])


def call(method, path, body):
    headers = {"Authorization": f"Bearer {KEY}"}
    answer = requests.request(method, f"{API}{path}", headers=headers, json=body, timeout=10)
    answer.raise_for_status()
    return answer.json()["data"]


def svc_urls(current_tenant, knows_tenant, handled_ids, debit, credit):
    @require_GET
    def settings(request):
        tenant = current_tenant(request)
        message = f"{PMS}+{tenant['id']}".encode()
        return JsonResponse({
            "pms": PMS,
            "externalId": tenant["id"],
            "balance": tenant["balance"],
            "signature": hmac.new(KEY.encode(), message, hashlib.sha256).hexdigest(),
            "environment": "sandbox",
            "baseUrl": API,
        })

    @csrf_exempt  # another site's page cannot read the token
    @require_POST
    def token(request):
        tenant = current_tenant(request)
        body = {**tenant["profile"], "charges": tenant["open_charges"]}
        data = call("POST", f"/tenant/portal_info/{tenant['id']}", body)
        return JsonResponse({"token": data["token"]})

    @csrf_exempt
    @require_POST
    def webhooks(request):
        try:
            event = webhook.verify(request.body, request.headers)
        except WebhookVerificationError as error:
            return HttpResponseBadRequest(str(error))
        is_real = (
            not event.get("test")
            and not event.get("custom")
            and knows_tenant(event.get("external_id") or "")
        )
        is_settlement = event["type"] == "settlement.created"
        if is_real and is_settlement and event["id"] not in handled_ids:
            settlement_id = event["data"]["settlement_id"]
            transaction_id, arrived = debit(settlement_id, event["data"]["amount_in_cents"])
            # "unverified" means sent; report "verified" when the money arrives.
            status = "verified" if arrived else "unverified"
            report = {"status": status, "processor_transaction_id": transaction_id}
            call("PATCH", f"/settlements/{settlement_id}", report)
            # Both in one transaction of yours.
            credit(event["external_id"], event["data"]["charges_and_amounts_paid"])
            handled_ids.add(event["id"])
        return HttpResponse(status=204)

    return [
        path("api/svc/settings", settings),
        path("api/svc/token", token),
        path("api/svc/webhooks", webhooks),
    ]
# #endregion
