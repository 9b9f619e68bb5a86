#region verify
from standardwebhooks import Webhook, WebhookVerificationError


def read_event(raw: bytes, headers, secret: str) -> dict | None:
    """The event, or None if we did not send it. Pass the body before any parsing."""
    try:
        return Webhook(secret).verify(raw, headers)
    except WebhookVerificationError:
        return None


#endregion
