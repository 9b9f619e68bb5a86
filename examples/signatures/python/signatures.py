#region sign
import base64
import hashlib
import hmac


def sign_widget(api_key: str, pms: str, external_id: str) -> str:
    message = f"{pms}+{external_id}".encode()
    return hmac.new(api_key.encode(), message, hashlib.sha256).hexdigest()


#endregion


#region verify
def verify(raw: bytes, id, timestamp, signature, secret: str, now: float) -> bool:
    if not id or not signature or not (timestamp or "").isdecimal():
        return False
    if abs(now - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{id}.{timestamp}.".encode() + raw
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # During a rotation there is one entry per active secret; one match is enough.
    entries = [entry[3:].encode() for entry in signature.split(" ") if entry.startswith("v1,")]
    return any(hmac.compare_digest(expected, entry) for entry in entries)


#endregion
