using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Svc;
using Svc.Api.Model;

static class Quickstart
{
    static void Main()
    {
        var apiKey = Environment.GetEnvironmentVariable("SVC_API_KEY");
        var client = new SvcClient(apiKey, Environment.GetEnvironmentVariable("SVC_BASE_URL"));

        // 1. Sign the widget.
        Console.WriteLine("signature " + Signatures.SignWidget(apiKey, "my-portal", "t-100"));

        // 2. When the tenant clicks, get a tenant token.
        var charge = new ChargeInput(
            id: "C-1", dueDate: DateTime.Today.AddDays(14), amountInCents: 152012);
        var tenant = new PortalInfoInput(
            firstName: "Ada", lastName: "Lane", email: "ada@example.com",
            charges: new List<ChargeInput> { charge });
        var token = client.Tenants.CreateTenantToken("t-100", tenant).Data.Token;
        Console.WriteLine("token " + (token != null));

        // 3. List: pages are fetched as needed.
        var tenants = SvcClient.Pages(cursor =>
        {
            var page = client.Tenants.ListTenants(limit: 2, cursor: cursor).Data;
            return SvcClient.PageOf(page.Items, page.NextCursor);
        });
        Console.WriteLine("tenants " + tenants.Count());

        // 4. An error has a stable code.
        try
        {
            client.PlansAndSettlements.GetPlan("pln_none");
        }
        catch (SvcException error)
        {
            Console.WriteLine($"error {error.Status} {error.Code}");
        }

        // 5. When a webhook arrives, verify it.
        Receive(
            File.ReadAllBytes(Environment.GetEnvironmentVariable("WEBHOOK_BODY_FILE")),
            new Dictionary<string, string>
            {
                ["webhook-id"] = Environment.GetEnvironmentVariable("WEBHOOK_ID"),
                ["webhook-timestamp"] = Environment.GetEnvironmentVariable("WEBHOOK_TIMESTAMP"),
                ["webhook-signature"] = Environment.GetEnvironmentVariable("WEBHOOK_SIGNATURE"),
            });
    }

    static void Receive(byte[] body, IDictionary<string, string> headers)
    {
        var secret = Environment.GetEnvironmentVariable("SVC_WEBHOOK_SECRET");
        if (Signatures.VerifyWebhook(body, headers, secret) is TenantUpdatedEvent updated)
            Console.WriteLine($"webhook {updated.ExternalId} {string.Join(",", updated.Data.Changed)}");
    }
}
