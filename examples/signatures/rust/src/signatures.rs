use base64::{engine::general_purpose::STANDARD, Engine};
use hmac::{Hmac, Mac};
use sha2::Sha256;

// #region sign
pub fn sign_widget(api_key: &str, pms: &str, external_id: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(api_key.as_bytes()).expect("any length");
    mac.update(format!("{pms}+{external_id}").as_bytes());
    hex::encode(mac.finalize().into_bytes())
}
// #endregion

// #region verify
pub fn verify(
    raw: &[u8], id: &str, timestamp: &str, signature: &str, secret: &str, now: i64,
) -> bool {
    let Ok(seconds) = timestamp.parse::<i64>() else { return false };
    if id.is_empty() || (now - seconds).abs() > 300 {
        return false;
    }
    let secret = secret.strip_prefix("whsec_").unwrap_or(secret);
    let Ok(key) = STANDARD.decode(secret) else { return false };
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("any length");
    mac.update(format!("{id}.{timestamp}.").as_bytes());
    mac.update(raw);
    // During a rotation there is one entry per active secret; one match is enough.
    signature.split(' ').any(|entry| {
        let given = entry.strip_prefix("v1,").and_then(|encoded| STANDARD.decode(encoded).ok());
        given.is_some_and(|given| mac.clone().verify_slice(&given).is_ok())
    })
}
// #endregion
