// A small portal that integrates Svc correctly. `mutations.ts` breaks one thing of it at a time.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	tolerance = 5 * time.Minute
	mostBytes = 1_000_000
)

var (
	service   = os.Getenv("SVC_URL")
	apiKey    = os.Getenv("SVC_API_KEY")
	pms       = os.Getenv("SVC_PMS")
	secret, _ = base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("SVC_WEBHOOK_SECRET"), "whsec_"))
)

// The signed-in tenant.
const (
	tenantID = "t-100"
	balance  = 152_012
)

type event struct {
	ID         string `json:"id"`
	Type       string `json:"type"`
	ExternalID string `json:"external_id"`
	Test       bool   `json:"test"`
	Custom     bool   `json:"custom"`
	Data       struct {
		ObjectVersion int    `json:"object_version"`
		PlanID        string `json:"plan_id"`
		Change        string `json:"change"`
		SettlementID  string `json:"settlement_id"`
		AmountInCents int64  `json:"amount_in_cents"`
		NewStatus     string `json:"new_status"`
	} `json:"data"`
}

type plan struct {
	externalID string
	version    int
	state      string
}

type settlement struct {
	externalID string
	planID     string
	version    int
	status     string
	debits     map[string]int64
	sentBack   int64
}

// A portal keeps these in its database, and the mutex is a transaction.
var (
	mutex       sync.Mutex
	handledIDs  = map[string]bool{}
	plans       = map[string]*plan{}
	settlements = map[string]*settlement{}
)

var errSignature = errors.New("the signature or its timestamp is not valid")

// verify returns an error unless Svc signed the bytes within the last five minutes.
func verify(text []byte, header http.Header) error {
	sentAt, err := strconv.ParseInt(header.Get("webhook-timestamp"), 10, 64)
	if err != nil || time.Since(time.Unix(sentAt, 0)).Abs() > tolerance {
		return errSignature
	}
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "%s.%d.", header.Get("webhook-id"), sentAt)
	mac.Write(text)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, received := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(received), []byte(expected)) {
			return nil
		}
	}
	return errSignature
}

func receiveWebhook(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBytes))
	if err != nil {
		http.Error(w, "too large", http.StatusRequestEntityTooLarge)
		return
	}
	if err := verify(body, r.Header); err != nil {
		http.Error(w, err.Error(), http.StatusUnauthorized)
		return
	}
	var received event
	if err := json.Unmarshal(body, &received); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err := handleOnce(received); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// A message may arrive twice, also at the same time. One that failed is handled again.
func handleOnce(e event) error {
	mutex.Lock()
	defer mutex.Unlock()
	if handledIDs[e.ID] {
		return nil
	}
	if err := handle(e); err != nil {
		return err
	}
	handledIDs[e.ID] = true
	return nil
}

func handle(e event) error {
	if e.Test || e.Custom {
		return nil
	}
	if strings.HasPrefix(e.Type, "plan.") {
		storePlan(e)
	}
	if e.Type == "settlement.created" {
		if err := debit(e); err != nil {
			return err
		}
	}
	if strings.HasPrefix(e.Type, "settlement.") {
		storeSettlement(e)
	}
	if e.Data.Change == "refunded" {
		return bookRefunds(e.Data.PlanID)
	}
	return nil
}

var planStates = map[string]string{
	"plan.created":   "created",
	"plan.activated": "active",
	"plan.past_due":  "past_due",
	"plan.completed": "completed",
	"plan.canceled":  "canceled",
}

var changedStates = map[string]string{
	"charged_off": "charged_off",
	"reopened":    "active",
	"recovered":   "active",
}

func storePlan(e event) {
	known := plans[e.Data.PlanID]
	if known == nil {
		known = &plan{externalID: e.ExternalID, state: "created"}
		plans[e.Data.PlanID] = known
	}
	if e.Data.ObjectVersion <= known.version {
		return
	}
	known.version = e.Data.ObjectVersion
	if state, ok := changedStates[e.Data.Change]; ok {
		known.state = state
	} else if state, ok := planStates[e.Type]; ok {
		known.state = state
	}
}

func settlementOf(e event) *settlement {
	known := settlements[e.Data.SettlementID]
	if known == nil {
		known = &settlement{
			externalID: e.ExternalID,
			planID:     e.Data.PlanID,
			status:     "unsettled",
			debits:     map[string]int64{},
		}
		settlements[e.Data.SettlementID] = known
	}
	return known
}

// The bank knows a debit by its key, so a second one with the same key moves no money.
func debit(e event) error {
	sum := sha256.Sum256([]byte(e.Data.SettlementID))
	key := hex.EncodeToString(sum[:10])
	settlementOf(e).debits[key] = e.Data.AmountInCents
	return callSvc("PATCH", "/settlements/"+e.Data.SettlementID, map[string]any{
		"status":                   "verified",
		"processor_transaction_id": "tr_" + key,
	}, nil)
}

func storeSettlement(e event) {
	known := settlementOf(e)
	if e.Data.ObjectVersion <= known.version {
		return
	}
	known.version = e.Data.ObjectVersion
	if e.Data.NewStatus != "" {
		known.status = e.Data.NewStatus
	}
	if known.status == "returned" {
		clear(known.debits) // the bank has taken the money back
	}
}

// The landlord may send money back in the console, too, so the refunds are read from Svc.
func bookRefunds(planID string) error {
	for id, known := range settlements {
		if known.planID != planID {
			continue
		}
		var list struct {
			Items []struct {
				AmountInCents int64 `json:"amount_in_cents"`
			} `json:"items"`
		}
		if err := callSvc("GET", "/settlements/"+id+"/refunds", nil, &list); err != nil {
			return err
		}
		known.sentBack = 0
		for _, refund := range list.Items {
			known.sentBack += refund.AmountInCents
		}
	}
	return nil
}

// showTenant answers with our view of a tenant, for which Svc asks during a certification.
func showTenant(w http.ResponseWriter, r *http.Request) {
	externalID := r.URL.Query().Get("tenant")
	if err := verify([]byte(externalID), r.Header); err != nil {
		http.Error(w, err.Error(), http.StatusUnauthorized)
		return
	}
	mutex.Lock()
	defer mutex.Unlock()
	var theirPlan any
	for id, known := range plans {
		if known.externalID == externalID {
			theirPlan = map[string]any{"id": id, "state": known.state}
		}
	}
	theirSettlements := []any{}
	for id, known := range settlements {
		if known.externalID != externalID {
			continue
		}
		var debited int64
		for _, amount := range known.debits {
			debited += amount
		}
		theirSettlements = append(theirSettlements, map[string]any{
			"id":                 id,
			"status":             known.status,
			"debited_in_cents":   debited,
			"sent_back_in_cents": known.sentBack,
		})
	}
	writeJSON(w, map[string]any{"plan": theirPlan, "settlements": theirSettlements})
}

func showToken(w http.ResponseWriter, r *http.Request) {
	var issued struct {
		Token string `json:"token"`
	}
	err := callSvc("POST", "/tenant/portal_info/"+tenantID, map[string]any{
		"first_name": "Ada",
		"last_name":  "Lane",
		"email":      "ada@example.com",
		"charges": []any{map[string]any{
			"id":              "C-1",
			"due_date":        time.Now().UTC().Format(time.DateOnly),
			"amount_in_cents": balance,
		}},
	}, &issued)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	writeJSON(w, issued)
}

// callSvc reads the data of the answer into result, unless that is nil.
func callSvc(method, path string, body, result any) error {
	sent, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequest(method, service+"/v1"+path, bytes.NewReader(sent))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+apiKey)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode >= 300 {
		return fmt.Errorf("svc answered %d", answer.StatusCode)
	}
	if result == nil {
		return nil
	}
	return json.NewDecoder(answer.Body).Decode(&struct {
		Data any `json:"data"`
	}{result})
}

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Your rent</title>
    <link rel="icon" href="data:,">
    <style>#rent { max-width: 560px; min-height: 250px }</style>
    <script type="module">
      import { Svc } from '%s/sdk/svc.js';
      const svc = Svc({
        ...%s,
        onEvent: (type, data) => console.log(type, data),
        async onWidgetClickCallback() {
          const { token } = await (await fetch('/token', { method: 'POST' })).json();
          await svc.openExperienceAndSetToken(token);
        },
      });
      document.getElementById('rent').replaceChildren(svc.createWidget());
    </script>
  </head>
  <body>
    <main><h1>Your rent</h1><div id="rent"><a href="/pay">Pay your rent</a></div></main>
  </body>
</html>`

func showPage(w http.ResponseWriter, r *http.Request) {
	mac := hmac.New(sha256.New, []byte(apiKey))
	mac.Write([]byte(pms + "+" + tenantID))
	settings, _ := json.Marshal(map[string]any{
		"pms":         pms,
		"externalId":  tenantID,
		"balance":     balance,
		"signature":   hex.EncodeToString(mac.Sum(nil)),
		"environment": "sandbox",
		"baseUrl":     service + "/v1",
	})
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, page, service, settings)
}

func writeJSON(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}

func main() {
	routes := http.NewServeMux()
	routes.HandleFunc("GET /{$}", showPage)
	routes.HandleFunc("POST /token", showToken)
	routes.HandleFunc("POST /webhooks", receiveWebhook)
	routes.HandleFunc("GET /tenant", showTenant)
	port := os.Getenv("PORT")
	if port == "" {
		port = "0"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("listening on %d\n", listener.Addr().(*net.TCPAddr).Port)
	_ = http.Serve(listener, routes)
}
