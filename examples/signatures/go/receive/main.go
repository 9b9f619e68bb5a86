package main

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
	http.HandleFunc("/webhooks/svc", receive(webhook))
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
			http.Error(w, err.Error(), http.StatusBadRequest) // The console shows it.
			return
		}
		w.WriteHeader(http.StatusNoContent) // Respond within 15 seconds; queue longer work.
		log.Println(event.ID, event.Type)   // Retries keep the id: skip ids you have processed.
	}
}
