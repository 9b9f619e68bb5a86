package svc

import (
	"bytes"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// NewClient returns a client of the partner API. The address ends with /v1.
func NewClient(apiKey, baseURL string) *APIClient {
	configuration := NewConfiguration()
	configuration.Servers = ServerConfigurations{{URL: baseURL}}
	configuration.AddDefaultHeader("Authorization", "Bearer "+apiKey)
	configuration.HTTPClient = &http.Client{Transport: idempotent{http.DefaultTransport}, Timeout: 30 * time.Second}
	return NewAPIClient(configuration)
}

// idempotent adds an Idempotency-Key, with which the service does a call once, also if it is sent again.
type idempotent struct{ next http.RoundTripper }

func (transport idempotent) RoundTrip(request *http.Request) (*http.Response, error) {
	changes := request.Method == http.MethodPost || request.Method == http.MethodPatch
	if changes && request.Header.Get("Idempotency-Key") == "" {
		key := make([]byte, 16)
		if _, err := rand.Read(key); err != nil {
			return nil, err
		}
		request = request.Clone(request.Context())
		request.Header.Set("Idempotency-Key", hex.EncodeToString(key))
	}
	return transport.next.RoundTrip(request)
}

// ErrorOf returns what the service answered to a failed call, or nil if it did not answer with an error.
// Its Code is stable, and its Message says what to do.
func ErrorOf(err error) *ErrorDetails {
	var failed *GenericOpenAPIError
	if !errors.As(err, &failed) {
		return nil
	}
	var answer Error
	if json.Unmarshal(failed.Body(), &answer) != nil {
		return nil
	}
	return &answer.Error
}

// Pages yields the items of all pages. The function takes a cursor, or nil for the first page.
func Pages[Item any](fetch func(cursor *string) (items []Item, next *string, err error)) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		var cursor *string
		for {
			items, next, err := fetch(cursor)
			if err != nil {
				var none Item
				yield(none, err)
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
			if next == nil {
				return
			}
			cursor = next
		}
	}
}

// SignWidget returns the widget's signature. It never expires, so it can be cached.
func SignWidget(apiKey, pms, externalID string) string {
	mac := hmac.New(sha256.New, []byte(apiKey))
	mac.Write([]byte(pms + "+" + externalID))
	return hex.EncodeToString(mac.Sum(nil))
}

// ErrNotVerified says that a request is not from Svc, or that it was changed. Answer it with 400.
var ErrNotVerified = errors.New("the webhook is not verified")

// Webhook is a verified message. Decode Data by Type: for "settlement.created" it is a SettlementCreatedData.
type Webhook struct {
	ID         string          `json:"id"`
	Type       string          `json:"type"`
	ExternalID *string         `json:"external_id"`
	Test       bool            `json:"test"`
	Custom     bool            `json:"custom"`
	Data       json.RawMessage `json:"data"`
}

// VerifyWebhook returns the message if Svc sent it in the last five minutes. The body is as received. Pass the
// endpoint's whsec_ secret or whpk_ public key, or several during a rotation.
func VerifyWebhook(body []byte, header http.Header, secrets ...string) (*Webhook, error) {
	if len(secrets) == 0 {
		return nil, errors.New("there is no secret or public key to verify with")
	}
	verifiers := make([]verifier, len(secrets))
	for index, secret := range secrets {
		var err error
		if verifiers[index], err = verifierOf(secret); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{"Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"} {
		if header.Get(name) == "" {
			return nil, fmt.Errorf("%w: the request lacks %s", ErrNotVerified, name)
		}
	}
	timestamp := header.Get("Webhook-Timestamp")
	seconds, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil {
		return nil, fmt.Errorf("%w: webhook-timestamp is not a number of seconds", ErrNotVerified)
	}
	if age := time.Since(time.Unix(int64(seconds), 0)); age.Abs() > 5*time.Minute {
		return nil, fmt.Errorf("%w: the message is too old, or this machine's clock is wrong", ErrNotVerified)
	}
	signed := append([]byte(header.Get("Webhook-Id")+"."+timestamp+"."), body...)
	found, matches := false, false
	for _, verifier := range verifiers {
		for _, entry := range strings.Split(header.Get("Webhook-Signature"), " ") {
			if signature, ok := strings.CutPrefix(entry, verifier.version); ok {
				found = true
				matches = verifier.verifies(signed, signature) || matches
			}
		}
	}
	if !found {
		return nil, fmt.Errorf("%w: no signature is of your key's kind: a whsec_ secret verifies v1, and a whpk_ key verifies v1a, which an endpoint with asymmetric_signature sends", ErrNotVerified)
	}
	if !matches {
		return nil, fmt.Errorf("%w: no signature matches; pass the body as received, and this endpoint's secret or public key", ErrNotVerified)
	}
	var webhook Webhook
	if err := json.NewDecoder(bytes.NewReader(body)).Decode(&webhook); err != nil {
		return nil, err
	}
	return &webhook, nil
}

// verifier verifies the signatures of one version with a secret or a public key.
type verifier struct {
	version  string
	verifies func(signed []byte, signature string) bool
}

func verifierOf(secret string) (verifier, error) {
	if text, ok := strings.CutPrefix(secret, "whpk_"); ok {
		key, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(key) != ed25519.PublicKeySize {
			return verifier{}, errors.New("the public key is not whpk_ followed by the base64 of 32 bytes")
		}
		return verifier{"v1a,", func(signed []byte, signature string) bool {
			given, err := base64.StdEncoding.DecodeString(signature)
			return err == nil && ed25519.Verify(key, signed, given)
		}}, nil
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) == 0 {
		return verifier{}, errors.New("the secret is not whsec_ followed by base64")
	}
	return verifier{"v1,", func(signed []byte, signature string) bool {
		mac := hmac.New(sha256.New, key)
		mac.Write(signed)
		return hmac.Equal([]byte(base64.StdEncoding.EncodeToString(mac.Sum(nil))), []byte(signature))
	}}, nil
}
