import datetime
import os

import svc

api_key = os.environ["SVC_API_KEY"]
client = svc.Client(api_key, base_url=os.environ["SVC_BASE_URL"])

# 1. Sign the widget.
print("signature", svc.sign_widget(api_key, "my-portal", "t-100"))

# 2. When the tenant clicks, get a tenant token.
charge = svc.models.ChargeInput(
    id="C-1",
    due_date=datetime.date.today() + datetime.timedelta(days=14),
    amount_in_cents=152012,
)
tenant = svc.models.PortalInfoInput(
    first_name="Ada", last_name="Lane", email="ada@example.com", charges=[charge]
)
token = client.tenants.create_tenant_token("t-100", tenant).data.token
print("token", token is not None)

# 3. List: pages are fetched as needed.
tenants = svc.pages(lambda cursor: client.tenants.list_tenants(limit=2, cursor=cursor))
print("tenants", sum(1 for _ in tenants))

# 4. An error has a stable code.
try:
    client.plans_and_settlements.get_plan("pln_none")
except svc.SvcError as error:
    print("error", error.status, error.code)


# 5. When a webhook arrives, verify it.
def receive(body: bytes, headers: dict) -> None:
    event = svc.verify_webhook(body, headers, os.environ["SVC_WEBHOOK_SECRET"])
    if event.type == "tenant.updated":
        print("webhook", event.external_id, ",".join(event.data.changed))


with open(os.environ["WEBHOOK_BODY_FILE"], "rb") as file:
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    receive(file.read(), {name: os.environ[name.upper().replace("-", "_")] for name in names})
