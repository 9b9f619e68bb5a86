use axum::{body::Bytes, http::HeaderMap, http::StatusCode, routing::post, Router};
use standardwebhooks::Webhook;

#[tokio::main]
async fn main() {
    let app = Router::new().route("/webhooks/svc", post(receive));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:3000").await.unwrap();
    axum::serve(listener, app).await.unwrap();
}

// Bytes, not Json: the signature covers the raw body.
async fn receive(headers: HeaderMap, raw: Bytes) -> (StatusCode, String) {
    let secret = std::env::var("SVC_WEBHOOK_SECRET").expect("SVC_WEBHOOK_SECRET is not set");
    let webhook = Webhook::new(&secret).expect("SVC_WEBHOOK_SECRET is not a whsec_ secret");
    if let Err(error) = webhook.verify(&raw, &headers) {
        return (StatusCode::BAD_REQUEST, error.to_string()); // The console shows it.
    }
    let Ok(event) = serde_json::from_slice::<serde_json::Value>(&raw) else {
        return (StatusCode::BAD_REQUEST, "The body is not JSON".into());
    };
    println!("{} {}", event["id"], event["type"]); // Retries keep the id: skip ids you have processed.
    (StatusCode::NO_CONTENT, String::new()) // Respond within 15 seconds; queue longer work.
}
