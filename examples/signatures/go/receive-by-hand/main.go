package main

import (
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

func main() {
	http.HandleFunc("/webhooks/svc", receive)
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
