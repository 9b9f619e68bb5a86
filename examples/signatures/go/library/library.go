package main

import (
	"net/http"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// #region verify
// Nil if we sent the message. raw is what io.ReadAll(r.Body) returned, before any parsing.
func check(raw []byte, headers http.Header, secret string) error {
	webhook, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		return err
	}
	return webhook.Verify(raw, headers)
}

// #endregion
