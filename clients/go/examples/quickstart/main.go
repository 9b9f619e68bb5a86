package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"svc"
)

func main() {
	ctx := context.Background()
	apiKey := os.Getenv("SVC_API_KEY")
	client := svc.NewClient(apiKey, os.Getenv("SVC_BASE_URL"))

	// 1. Sign the widget.
	fmt.Println("signature", svc.SignWidget(apiKey, "my-portal", "t-100"))

	// 2. When the tenant clicks, get a tenant token.
	tenant := svc.PortalInfoInput{
		FirstName: "Ada", LastName: "Lane", Email: "ada@example.com",
		Charges: []svc.ChargeInput{{
			Id:            "C-1",
			DueDate:       time.Now().AddDate(0, 0, 14).Format(time.DateOnly),
			AmountInCents: 152012,
		}},
	}
	made, _, err := client.TenantsAPI.CreateTenantToken(ctx, "t-100").PortalInfoInput(tenant).Execute()
	check(err)
	fmt.Println("token", made.Data.Token.IsSet() && made.Data.Token.Get() != nil)

	// 3. List: pages are fetched as needed.
	tenants := svc.Pages(func(cursor *string) ([]svc.ListedTenant, *string, error) {
		request := client.TenantsAPI.ListTenants(ctx).Limit(2)
		if cursor != nil {
			request = request.Cursor(*cursor)
		}
		page, _, err := request.Execute()
		if err != nil {
			return nil, nil, err
		}
		return page.Data.Items, page.Data.NextCursor.Get(), nil
	})
	count := 0
	for _, err := range tenants {
		check(err)
		count++
	}
	fmt.Println("tenants", count)

	// 4. An error has a stable code.
	_, response, err := client.PlansAndSettlementsAPI.GetPlan(ctx, "pln_none").Execute()
	if failed := svc.ErrorOf(err); failed != nil {
		fmt.Println("error", response.StatusCode, failed.Code)
	}

	// 5. When a webhook arrives, verify it.
	body, err := os.ReadFile(os.Getenv("WEBHOOK_BODY_FILE"))
	check(err)
	header := http.Header{}
	for _, name := range []string{"WEBHOOK_ID", "WEBHOOK_TIMESTAMP", "WEBHOOK_SIGNATURE"} {
		header.Set(strings.ReplaceAll(name, "_", "-"), os.Getenv(name))
	}
	receive(body, header)
}

func receive(body []byte, header http.Header) {
	webhook, err := svc.VerifyWebhook(body, header, os.Getenv("SVC_WEBHOOK_SECRET"))
	check(err)
	if webhook.Type == "tenant.updated" {
		var data svc.TenantUpdatedData
		check(json.Unmarshal(webhook.Data, &data))
		fmt.Println("webhook", *webhook.ExternalID, strings.Join(data.Changed, ","))
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
