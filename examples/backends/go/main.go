// #region app
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

const api = "http://localhost:4000/v1"

var key, pms = os.Getenv("SVC_API_KEY"), os.Getenv("SVC_PMS")

// Cents. Replace with your signed-in tenant.
const tenantID, balance = "t-100", 152012

// #endregion

// #region signature
func widgetSettings(w http.ResponseWriter, r *http.Request) {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(pms + "+" + tenantID))
	signature := hex.EncodeToString(mac.Sum(nil))
	json.NewEncoder(w).Encode(map[string]any{
		"pms": pms, "externalId": tenantID, "balance": balance, "signature": signature,
		"environment": "sandbox", "baseUrl": api,
	})
}

// #endregion

// #region token
func tenantToken(w http.ResponseWriter, r *http.Request) {
	body, _ := json.Marshal(map[string]any{
		"first_name": "Ada", "last_name": "Lane", "email": "ada@example.com",
		"charges": []map[string]any{{
			"id": "C-1", "due_date": time.Now().Format(time.DateOnly), "amount_in_cents": balance,
		}},
	})
	address := api + "/tenant/portal_info/" + url.PathEscape(tenantID)
	request, _ := http.NewRequestWithContext(r.Context(), "POST", address, bytes.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil || answer.StatusCode != http.StatusOK {
		http.Error(w, "no token", http.StatusBadGateway)
		return
	}
	defer answer.Body.Close()
	var known struct{ Data struct{ Token string } }
	json.NewDecoder(answer.Body).Decode(&known)
	json.NewEncoder(w).Encode(map[string]string{"token": known.Data.Token})
}

// #endregion

// #region webhook
func svcWebhooks(w http.ResponseWriter, r *http.Request) {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("SVC_WEBHOOK_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err == nil {
		err = webhook.Verify(body, r.Header)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var event struct {
		ID, Type     string
		Test, Custom bool
		Data         struct {
			SettlementID string `json:"settlement_id"`
		}
	}
	json.Unmarshal(body, &event)
	if event.Type == "settlement.created" && !event.Test && !event.Custom {
		log.Println(event.Data.SettlementID) // debit it; skip an event.ID that you have stored
	}
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	http.HandleFunc("GET /api/svc/settings", widgetSettings)
	http.HandleFunc("POST /api/svc/token", tenantToken)
	http.HandleFunc("POST /api/svc/webhooks", svcWebhooks)
	log.Fatal(http.ListenAndServe("127.0.0.1:3000", nil))
}

// #endregion
