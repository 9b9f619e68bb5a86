# #region app
from datetime import datetime
from zoneinfo import ZoneInfo

from flask import Flask
from svc_routes import svc_routes

app = Flask(__name__, static_folder="public", static_url_path="")  # your app

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


app.register_blueprint(
    svc_routes(
        current_tenant=lambda: tenant,  # from your session and your ledger
        knows_tenant=knows_tenant,
        handled_ids=set(),  # a table of yours, so that it survives a restart
        debit=debit,
        credit=credit,
    )
)
# #endregion
