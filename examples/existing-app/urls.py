# #region urls
from datetime import datetime
from zoneinfo import ZoneInfo

from django.urls import path
from django.views.static import serve
from svc_views import svc_urls

# The day in the home's time zone, as your ledger has it.
due_date = datetime.now(ZoneInfo("America/Chicago")).date().isoformat()
tenant = {
    "id": "t-100",
    "balance": 152012,  # cents
    "profile": {"first_name": "Ada", "last_name": "Lane", "email": "ada@example.com"},
    "open_charges": [{"id": "C-1", "due_date": due_date, "amount_in_cents": 152012}],
}


def knows_tenant(external_id):
    # In the sandbox, also the tenants of `svc certify`.
    return external_id == tenant["id"] or external_id.startswith("certify-")


def debit(settlement_id, amount_in_cents):
    print(f"Debit {amount_in_cents} for {settlement_id}")  # your processor
    return f"tr_{settlement_id}", True  # True: the money has arrived


def credit(external_id, charges):
    if external_id != tenant["id"]:
        return
    for charge in charges:
        tenant["balance"] -= charge["amount_in_cents"]  # your ledger
        still_open = (it for it in tenant["open_charges"] if it["id"] != charge["charge_id"])
        tenant["open_charges"] = list(still_open)


urlpatterns = [
    path("<path:path>.html", lambda request, path: serve(request, f"{path}.html", "public")),
    *svc_urls(
        current_tenant=lambda request: tenant,  # from your session and your ledger
        knows_tenant=knows_tenant,
        handled_ids=set(),  # a table of yours, so that it survives a restart
        debit=debit,
        credit=credit,
    ),
]
# #endregion
