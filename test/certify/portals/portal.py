"""A small portal that integrates Svc correctly. `mutations.ts` breaks one thing of it at a time."""

import base64
import hashlib
import hmac
import json
import os
import sys
import threading
import time
import urllib.request
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

SERVICE = os.environ["SVC_URL"]
KEY = os.environ["SVC_API_KEY"]
PMS = os.environ["SVC_PMS"]
SECRET = base64.b64decode(os.environ["SVC_WEBHOOK_SECRET"].removeprefix("whsec_"))
TOLERANCE_SECONDS = 300
MOST_BYTES = 1_000_000

# The signed-in tenant.
TENANT = {"id": "t-100", "balance": 152_012}

# A portal keeps these in its database, and the lock is a transaction.
lock = threading.RLock()
handled_ids = set()
plans = {}
settlements = {}


class Refused(Exception):
    pass


def verify(text, headers):
    """Raises Refused unless Svc signed the bytes within the last five minutes."""
    sent_at = headers.get("webhook-timestamp", "")
    if not sent_at.isdigit() or abs(time.time() - int(sent_at)) > TOLERANCE_SECONDS:
        raise Refused("the timestamp is missing or too old")
    signed = f"{headers.get('webhook-id', '')}.{sent_at}.".encode() + text
    expected = base64.b64encode(hmac.new(SECRET, signed, hashlib.sha256).digest()).decode()
    received = headers.get("webhook-signature", "").split(" ")
    if not any(hmac.compare_digest(one, f"v1,{expected}") for one in received):
        raise Refused("the signature does not match")


def receive_webhook(body, headers):
    verify(body, headers)
    event = json.loads(body)
    with lock:
        if event["id"] in handled_ids:
            return
        handle(event)
        handled_ids.add(event["id"])


def handle(event):
    if event.get("test") or event.get("custom"):
        return
    if event["type"].startswith("plan."):
        store_plan(event)
    if event["type"] == "settlement.created":
        debit(event)
    if event["type"].startswith("settlement."):
        store_settlement(event)
    if event["data"].get("change") == "refunded":
        book_refunds(event["data"]["plan_id"])


PLAN_STATES = {
    "plan.created": "created",
    "plan.activated": "active",
    "plan.past_due": "past_due",
    "plan.completed": "completed",
    "plan.canceled": "canceled",
}
CHANGED_STATES = {"charged_off": "charged_off", "reopened": "active", "recovered": "active"}


def store_plan(event):
    data = event["data"]
    known = plans.get(data["plan_id"], {"version": 0, "state": "created"})
    if data["object_version"] <= known["version"]:
        return
    state = CHANGED_STATES.get(data.get("change")) or PLAN_STATES.get(event["type"])
    plans[data["plan_id"]] = {
        "external_id": event["external_id"],
        "version": data["object_version"],
        "state": state or known["state"],
    }


def settlement_of(event):
    new = {
        "external_id": event["external_id"],
        "plan_id": event["data"]["plan_id"],
        "status": "unsettled",
        "version": 0,
        "debits": {},
        "sent_back": 0,
    }
    return settlements.setdefault(event["data"]["settlement_id"], new)


def debit(event):
    """The bank knows a debit by its key, so a second one with the same key moves no money."""
    settlement_id = event["data"]["settlement_id"]
    key = hashlib.sha256(settlement_id.encode()).hexdigest()[:20]
    settlement_of(event)["debits"][key] = event["data"]["amount_in_cents"]
    report = {"status": "verified", "processor_transaction_id": f"tr_{key}"}
    call_svc("PATCH", f"/settlements/{settlement_id}", report)


def store_settlement(event):
    settlement = settlement_of(event)
    data = event["data"]
    if data["object_version"] <= settlement["version"]:
        return
    settlement["version"] = data["object_version"]
    settlement["status"] = data.get("new_status", settlement["status"])
    if settlement["status"] == "returned":
        settlement["debits"].clear()  # the bank has taken the money back


def book_refunds(plan_id):
    """The landlord may send money back in the console, too, so the refunds are read from Svc."""
    for id, settlement in settlements.items():
        if settlement["plan_id"] == plan_id:
            refunds = call_svc("GET", f"/settlements/{id}/refunds")["items"]
            settlement["sent_back"] = sum(refund["amount_in_cents"] for refund in refunds)


def view_of(external_id):
    """Our view of a tenant, for which Svc asks during a certification."""
    with lock:
        plan = next(
            (
                {"id": id, "state": plan["state"]}
                for id, plan in plans.items()
                if plan["external_id"] == external_id
            ),
            None,
        )
        theirs = [
            {
                "id": id,
                "status": settlement["status"],
                "debited_in_cents": sum(settlement["debits"].values()),
                "sent_back_in_cents": settlement["sent_back"],
            }
            for id, settlement in settlements.items()
            if settlement["external_id"] == external_id
        ]
        return {"plan": plan, "settlements": theirs}


def call_svc(method, path, body=None):
    request = urllib.request.Request(
        f"{SERVICE}/v1{path}",
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)["data"]


def new_token():
    charge = {
        "id": "C-1",
        "due_date": str(date.today()),
        "amount_in_cents": TENANT["balance"],
    }
    person = {"first_name": "Ada", "last_name": "Lane", "email": "ada@example.com"}
    body = {**person, "charges": [charge]}
    return call_svc("POST", f"/tenant/portal_info/{TENANT['id']}", body)["token"]


def page():
    message = f"{PMS}+{TENANT['id']}".encode()
    settings = {
        "pms": PMS,
        "externalId": TENANT["id"],
        "balance": TENANT["balance"],
        "signature": hmac.new(KEY.encode(), message, hashlib.sha256).hexdigest(),
        "environment": "sandbox",
        "baseUrl": f"{SERVICE}/v1",
    }
    return f"""<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Your rent</title>
    <link rel="icon" href="data:,">
    <style>#rent {{ max-width: 560px; min-height: 250px }}</style>
    <script type="module">
      import {{ Svc }} from '{SERVICE}/sdk/svc.js';
      const svc = Svc({{
        ...{json.dumps(settings)},
        onEvent: (type, data) => console.log(type, data),
        async onWidgetClickCallback() {{
          const {{ token }} = await (await fetch('/token', {{ method: 'POST' }})).json();
          await svc.openExperienceAndSetToken(token);
        }},
      }});
      document.getElementById('rent').replaceChildren(svc.createWidget());
    </script>
  </head>
  <body>
    <main><h1>Your rent</h1><div id="rent"><a href="/pay">Pay your rent</a></div></main>
  </body>
</html>"""


class Portal(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.respond(self.get)

    def do_POST(self):
        self.respond(self.post)

    def respond(self, route):
        try:
            route()
        except Refused as error:
            self.answer(401, str(error))
        except Exception as error:
            self.answer(500, str(error))

    def get(self):
        address = urlsplit(self.path)
        if address.path == "/":
            self.answer(200, page(), "text/html; charset=utf-8")
        elif address.path == "/tenant":
            external_id = parse_qs(address.query).get("tenant", [""])[0]
            verify(external_id.encode(), self.headers)
            self.answer(200, json.dumps(view_of(external_id)), "application/json")
        else:
            self.answer(404, "not found")

    def post(self):
        size = int(self.headers.get("content-length", 0))
        if size > MOST_BYTES:
            self.close_connection = True
            return self.answer(413, "too large")
        body = self.rfile.read(size)
        if self.path == "/token":
            self.answer(200, json.dumps({"token": new_token()}), "application/json")
        elif self.path == "/webhooks":
            receive_webhook(body, self.headers)
            self.answer(204)
        else:
            self.answer(404, "not found")

    def answer(self, status, text="", content_type="text/plain"):
        body = text.encode()
        self.send_response(status)
        if status != 204:
            self.send_header("content-type", content_type)
            self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, client_address):
        # A browser or Svc may close its connection at any time.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


server = Server(("127.0.0.1", int(os.environ.get("PORT", "0"))), Portal)
print(f"listening on {server.server_port}", flush=True)
server.serve_forever()
