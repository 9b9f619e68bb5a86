// #region app
package main

import (
	"fmt"
	"log"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Your app: its sessions, its ledger, and its processor.
type app struct {
	mutex   sync.Mutex
	tenant  Tenant
	handled map[string]bool // a table of yours, so that it survives a restart
}

func (a *app) CurrentTenant(r *http.Request) Tenant {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.tenant // from your session and your ledger
}

// KnowsTenant also knows the tenants of `svc certify`, in the sandbox.
func (a *app) KnowsTenant(externalID string) bool {
	return externalID == a.tenant.ID || strings.HasPrefix(externalID, "certify-")
}

func (a *app) IsHandled(eventID string) bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.handled[eventID]
}

func (a *app) Debit(settlementID string, cents int64) (string, bool, error) {
	fmt.Printf("Debit %d for %s\n", cents, settlementID) // your processor
	return "tr_" + settlementID, true, nil
}

func (a *app) Credit(externalID string, charges []PaidCharge, eventID string) error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	for _, paid := range charges {
		if externalID != a.tenant.ID {
			continue
		}
		a.tenant.Balance -= paid.AmountInCents // your ledger
		isPaid := func(charge Charge) bool { return charge.ID == paid.ChargeID }
		a.tenant.OpenCharges = slices.DeleteFunc(slices.Clone(a.tenant.OpenCharges), isPaid)
	}
	a.handled[eventID] = true
	return nil
}

func main() {
	home, err := time.LoadLocation("America/Chicago")
	if err != nil {
		log.Fatal(err)
	}
	// The day in the home's time zone, as your ledger has it.
	dueDate := time.Now().In(home).Format(time.DateOnly)
	portal := &app{handled: map[string]bool{}, tenant: Tenant{
		ID:      "t-100",
		Balance: 152012, // cents
		Profile: map[string]any{
			"first_name": "Ada", "last_name": "Lane", "email": "ada@example.com",
		},
		OpenCharges: []Charge{{ID: "C-1", DueDate: dueDate, AmountInCents: 152012}},
	}}
	mux := http.NewServeMux()
	if err := addSvcRoutes(mux, portal); err != nil {
		log.Fatal(err)
	}
	mux.Handle("GET /", http.FileServer(http.Dir("public"))) // your pages
	log.Fatal(http.ListenAndServe("localhost:3000", mux))
}

// #endregion
