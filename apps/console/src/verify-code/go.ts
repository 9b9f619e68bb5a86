import { type Language, quote } from './language.ts';

const verify = `func verify(raw []byte, id, timestamp, signature, secret string, now int64) bool {
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || id == "" || seconds < now-300 || seconds > now+300 {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(raw)
	expected := mac.Sum(nil)
	// During a rotation there is one entry per active secret; one match is enough.
	for _, entry := range strings.Fields(signature) {
		if encoded, ok := strings.CutPrefix(entry, "v1,"); ok {
			given, err := base64.StdEncoding.DecodeString(encoded)
			if err == nil && hmac.Equal(given, expected) {
				return true
			}
		}
	}
	return false
}`;

export const go: Language = {
  name: 'Go',
  libraries: [
    {
      name: 'Standard Webhooks',
      install: 'go get github.com/standard-webhooks/standard-webhooks/libraries',
      file: 'main.go',
      needs: 'Go 1.20.',
      code: (path) => `package main

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func main() {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("SVC_WEBHOOK_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc(${quote(path)}, receive(webhook))
	log.Fatal(http.ListenAndServe(":3000", nil))
}

func receive(webhook *standardwebhooks.Webhook) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		// The signature covers the raw bytes.
		raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err == nil {
			err = webhook.Verify(raw, r.Header)
		}
		var event struct{ ID, Type string }
		if err == nil {
			err = json.Unmarshal(raw, &event)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest) // Shown in this console.
			return
		}
		w.WriteHeader(http.StatusNoContent) // Respond within 15 seconds; queue longer work.
		log.Println(event.ID, event.Type)   // Retries keep the id: skip ids you have processed.
	}
}
`,
    },
  ],
  manual: {
    file: 'main.go',
    needs: 'Go 1.20, no library.',
    verify,
    code: (path) => `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	http.HandleFunc(${quote(path)}, receive)
	log.Fatal(http.ListenAndServe(":3000", nil))
}

func receive(w http.ResponseWriter, r *http.Request) {
	// Do not parse it: the signature covers the raw bytes.
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	id := r.Header.Get("webhook-id")
	timestamp, signature := r.Header.Get("webhook-timestamp"), r.Header.Get("webhook-signature")
	secret := os.Getenv("SVC_WEBHOOK_SECRET")
	if err != nil || !verify(raw, id, timestamp, signature, secret, time.Now().Unix()) {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	// Respond within 15 seconds; queue longer work.
	w.WriteHeader(http.StatusNoContent)
	// Retries keep the id: skip ids you have processed.
	log.Println(id)
}

${verify}
`,
  },
};
