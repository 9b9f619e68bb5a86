import { type Language, quote } from './language.ts';

export const rust: Language = {
  name: 'Rust',
  libraries: [
    {
      name: 'Standard Webhooks',
      install: 'cargo add standardwebhooks axum serde_json && cargo add tokio --features full',
      file: 'main.rs',
      needs: 'axum 0.8.',
      code: (
        path,
      ) => `use axum::{body::Bytes, http::HeaderMap, http::StatusCode, routing::post, Router};
use standardwebhooks::Webhook;

#[tokio::main]
async fn main() {
    let app = Router::new().route(${quote(path)}, post(receive));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:3000").await.unwrap();
    axum::serve(listener, app).await.unwrap();
}

// Bytes, not Json: the signature covers the raw body.
async fn receive(headers: HeaderMap, raw: Bytes) -> (StatusCode, String) {
    let secret = std::env::var("SVC_WEBHOOK_SECRET").expect("SVC_WEBHOOK_SECRET is not set");
    let webhook = Webhook::new(&secret).expect("SVC_WEBHOOK_SECRET is not a whsec_ secret");
    if let Err(error) = webhook.verify(&raw, &headers) {
        return (StatusCode::BAD_REQUEST, error.to_string()); // Shown in this console.
    }
    let Ok(event) = serde_json::from_slice::<serde_json::Value>(&raw) else {
        return (StatusCode::BAD_REQUEST, "The body is not JSON".into());
    };
    println!("{} {}", event["id"], event["type"]); // Retries keep the id: skip ids you have processed.
    (StatusCode::NO_CONTENT, String::new()) // Respond within 15 seconds; queue longer work.
}
`,
    },
  ],
  manual: null,
};
