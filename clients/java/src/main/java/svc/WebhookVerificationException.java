package svc;

/** The request is not from Svc, or it was changed. Answer it with 400. */
public final class WebhookVerificationException extends Exception {
  WebhookVerificationException(String message) {
    super(message);
  }
}
