// #region svc
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

const api = "http://localhost:4000/v1"

var key, pms = os.Getenv("SVC_API_KEY"), os.Getenv("SVC_PMS")

type Tenant struct {
	ID          string
	Balance     int64 // cents
	Profile     map[string]any
	OpenCharges []Charge
}

type Charge struct {
	ID            string `json:"id"`
	DueDate       string `json:"due_date"`
	AmountInCents int64  `json:"amount_in_cents"`
}

type PaidCharge struct {
	ChargeID      string `json:"charge_id"`
	AmountInCents int64  `json:"amount_in_cents"`
}

// Portal is what the routes take from your app.
type Portal interface {
	CurrentTenant(r *http.Request) Tenant
	KnowsTenant(externalID string) bool
	IsHandled(eventID string) bool
	Debit(settlementID string, cents int64) (transactionID string, arrived bool, err error)
	// Credit credits the charges and remembers the event, in one transaction.
	Credit(externalID string, charges []PaidCharge, eventID string) error
}

func addSvcRoutes(mux *http.ServeMux, portal Portal) error {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("SVC_WEBHOOK_SECRET"))
	if err != nil {
		return err
	}
	mux.HandleFunc("GET /api/svc/settings", func(w http.ResponseWriter, r *http.Request) {
		tenant := portal.CurrentTenant(r)
		mac := hmac.New(sha256.New, []byte(key))
		mac.Write([]byte(pms + "+" + tenant.ID))
		json.NewEncoder(w).Encode(map[string]any{
			"pms": pms, "externalId": tenant.ID, "balance": tenant.Balance,
			"signature": hex.EncodeToString(mac.Sum(nil)), "environment": "sandbox", "baseUrl": api,
		})
	})
	mux.HandleFunc("POST /api/svc/token", func(w http.ResponseWriter, r *http.Request) {
		tenant := portal.CurrentTenant(r)
		body := map[string]any{"charges": tenant.OpenCharges}
		for name, value := range tenant.Profile {
			body[name] = value
		}
		var known struct{ Token string }
		err := callSvc("POST", "/tenant/portal_info/"+url.PathEscape(tenant.ID), body, &known)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		json.NewEncoder(w).Encode(map[string]string{"token": known.Token})
	})
	mux.HandleFunc("POST /api/svc/webhooks", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err == nil {
			err = webhook.Verify(body, r.Header)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if err := handleEvent(portal, body); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError) // we send it again
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	return nil
}

func handleEvent(portal Portal, body []byte) error {
	var event struct {
		ID, Type     string
		Test, Custom bool
		ExternalID   string `json:"external_id"`
		Data         struct {
			SettlementID  string       `json:"settlement_id"`
			AmountInCents int64        `json:"amount_in_cents"`
			Charges       []PaidCharge `json:"charges_and_amounts_paid"`
		}
	}
	if err := json.Unmarshal(body, &event); err != nil {
		return err
	}
	isReal := !event.Test && !event.Custom && portal.KnowsTenant(event.ExternalID)
	if !isReal || event.Type != "settlement.created" || portal.IsHandled(event.ID) {
		return nil
	}
	transactionID, arrived, err := portal.Debit(event.Data.SettlementID, event.Data.AmountInCents)
	if err != nil {
		return err
	}
	status := "unverified" // sent; report "verified" when the money arrives
	if arrived {
		status = "verified"
	}
	report := map[string]any{"status": status, "processor_transaction_id": transactionID}
	err = callSvc("PATCH", "/settlements/"+event.Data.SettlementID, report, nil)
	if err != nil {
		return err
	}
	return portal.Credit(event.ExternalID, event.Data.Charges, event.ID)
}

func callSvc(method, path string, input, output any) error {
	body, err := json.Marshal(input)
	if err != nil {
		return err
	}
	request, err := http.NewRequest(method, api+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var envelope struct {
		Error *struct{ Code, Message string }
		Data  json.RawMessage
	}
	if err := json.NewDecoder(answer.Body).Decode(&envelope); err != nil {
		return err
	}
	if envelope.Error != nil {
		return fmt.Errorf("%s: %s", envelope.Error.Code, envelope.Error.Message)
	}
	if output == nil {
		return nil
	}
	return json.Unmarshal(envelope.Data, output)
}

// #endregion
