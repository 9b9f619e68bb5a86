"""Svc for a partner's backend: API client, widget signature and webhook verification."""

import base64
import hashlib
import hmac
import json
import time
import uuid

import svc_api
from svc_api import models
from svc_api.exceptions import ApiException

__all__ = ["Client", "SvcError", "WebhookVerificationError", "models", "pages", "sign_widget", "verify_webhook"]


class SvcError(Exception):
    """A failed call: the service's answer, in which ``code`` is stable and ``message`` says what to do."""

    def __init__(self, status, code, message, request_id):
        super().__init__(message)
        self.status = status
        self.code = code
        self.request_id = request_id


class WebhookVerificationError(Exception):
    """The request is not from Svc, or it was changed. Answer it with 400."""


class _ApiClient(svc_api.ApiClient):
    def call_api(self, method, url, header_params=None, *args, **kwargs):
        headers = dict(header_params or {})
        if method in ("POST", "PATCH"):
            # With it, the service does the call once, also if it is sent again.
            headers.setdefault("Idempotency-Key", str(uuid.uuid4()))
        return super().call_api(method, url, headers, *args, **kwargs)

    def response_deserialize(self, response_data, response_types_map=None):
        try:
            return super().response_deserialize(response_data, response_types_map)
        except ApiException as exception:
            raise _error_of(exception) from exception


class Client:
    """The partner API. Each group of calls is an attribute, such as ``client.tenants``."""

    def __init__(self, api_key, base_url):
        """``base_url`` ends with ``/v1``."""
        configuration = svc_api.Configuration(host=base_url, access_token=api_key)
        api = _ApiClient(configuration)
        self.tenants = svc_api.TenantsApi(api)
        self.plans_and_settlements = svc_api.PlansAndSettlementsApi(api)
        self.simulation = svc_api.SimulationApi(api)
        self.events = svc_api.EventsApi(api)
        self.webhook_endpoints = svc_api.WebhookEndpointsApi(api)
        self.webhook_messages = svc_api.WebhookMessagesApi(api)
        self.webhook_replays = svc_api.WebhookReplaysApi(api)
        self.partner = svc_api.PartnerApi(api)
        self.appearance = svc_api.AppearanceApi(api)


def pages(fetch):
    """Yields the items of all pages. ``fetch`` takes a cursor, or None for the first page."""
    cursor = None
    while True:
        page = fetch(cursor).data
        yield from page.items
        cursor = page.next_cursor
        if cursor is None:
            return


def sign_widget(api_key, pms, external_id):
    """The widget's signature. It never expires, so it can be cached."""
    message = f"{pms}+{external_id}".encode()
    return hmac.new(api_key.encode(), message, hashlib.sha256).hexdigest()


def verify_webhook(body, headers, secret, tolerance_seconds=300, now=None):
    """Returns the event if Svc sent it recently.

    ``body`` is the bytes as received. ``secret`` is the endpoint's ``whsec_`` secret or ``whpk_`` public key, or a
    list of them during a rotation. A public key needs the package ``cryptography``. An event of a known type is a
    model such as ``models.SettlementCreatedEvent``; any other is a ``models.Event``.
    """
    verifiers = [_verifier_of(one) for one in ([secret] if isinstance(secret, str) else secret or [])]
    if not verifiers:
        raise ValueError("There is no secret or public key to verify with.")
    received = {name.lower(): value for name, value in headers.items()}
    try:
        message_id = received["webhook-id"]
        timestamp = received["webhook-timestamp"]
        signatures = received["webhook-signature"].split(" ")
    except KeyError as missing:
        raise WebhookVerificationError(f"The request lacks {missing.args[0]}.") from None
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        raise WebhookVerificationError("webhook-timestamp is not a number of seconds.")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance_seconds:
        raise WebhookVerificationError("The message is too old, or this machine's clock is wrong.")
    signed = f"{message_id}.{timestamp}.".encode() + body
    matches = [
        verifies(signed, signature[len(version) :])
        for version, verifies in verifiers
        for signature in signatures
        if signature.startswith(version)
    ]
    if not matches:
        raise WebhookVerificationError(
            "No signature is of your key's kind: a whsec_ secret verifies v1, and a whpk_ key verifies v1a, "
            "which an endpoint with asymmetric_signature sends."
        )
    if not any(matches):
        raise WebhookVerificationError(
            "No signature matches. Pass the body as received, and this endpoint's secret or public key."
        )
    event = json.loads(body)
    name = "".join(word.capitalize() for word in event["type"].replace(".", "_").split("_"))
    model = models.Event if event.get("custom") else getattr(models, name + "Event", models.Event)
    return model.from_dict(event)


def _verifier_of(secret):
    """The version of the signatures that a secret or public key verifies, and a function that verifies one."""
    if secret.startswith("whpk_"):
        return "v1a,", _public_key_verifier(_decode(secret[len("whpk_") :]))
    key = _decode(secret.removeprefix("whsec_"))
    if not key:
        raise ValueError("The secret is not whsec_ followed by base64.")

    def verifies(signed, signature):
        expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
        return hmac.compare_digest(expected, signature.encode())

    return "v1,", verifies


def _public_key_verifier(key):
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        raise ImportError(
            "A whpk_ key needs the package cryptography: install the client with its extra, [public-keys]."
        ) from None
    if key is None or len(key) != 32:
        raise ValueError("The public key is not whpk_ followed by the base64 of 32 bytes.")
    public_key = Ed25519PublicKey.from_public_bytes(key)

    def verifies(signed, signature):
        try:
            public_key.verify(_decode(signature) or b"", signed)
        except InvalidSignature:
            return False
        return True

    return verifies


def _decode(text):
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return None


def _error_of(exception):
    try:
        error = json.loads(exception.body)["error"]
        return SvcError(exception.status, error["code"], error["message"], error["request_id"])
    except (KeyError, TypeError, ValueError):
        return SvcError(exception.status, "unknown", f"The answer was {exception.status}.", None)
