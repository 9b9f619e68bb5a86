// #region routes
using System.Net.Http.Headers;
using System.Text.Json.Nodes;

static class SvcRoutes
{
    const string Api = "http://localhost:4000/v1";

    public static void MapSvc(this WebApplication app, Portal portal)
    {
        var key = Environment.GetEnvironmentVariable("SVC_API_KEY")!;
        var pms = Environment.GetEnvironmentVariable("SVC_PMS")!;
        var secret = Environment.GetEnvironmentVariable("SVC_WEBHOOK_SECRET")!;
        var svc = new HttpClient { BaseAddress = new Uri(Api + "/") };
        svc.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", key);

        app.MapGet("/api/svc/settings", (HttpRequest request) =>
        {
            var tenant = portal.CurrentTenant(request);
            var signature = Signatures.SignWidget(key, pms, tenant.Id);
            return new
            {
                pms, externalId = tenant.Id, balance = tenant.Balance, signature,
                environment = "sandbox", baseUrl = Api,
            };
        });

        app.MapPost("/api/svc/token", async (HttpRequest request) =>
        {
            var tenant = portal.CurrentTenant(request);
            var answer = await svc.PostAsJsonAsync(
                $"tenant/portal_info/{Uri.EscapeDataString(tenant.Id)}",
                new
                {
                    first_name = tenant.FirstName,
                    last_name = tenant.LastName,
                    email = tenant.Email,
                    charges = tenant.OpenCharges.Select(it => new
                    {
                        id = it.Id,
                        due_date = it.DueDate,
                        amount_in_cents = it.AmountInCents,
                    }),
                });
            answer.EnsureSuccessStatusCode();
            var body = await answer.Content.ReadFromJsonAsync<JsonObject>();
            return new { token = (string)body!["data"]!["token"]! };
        });

        app.MapPost("/api/svc/webhooks", async (HttpRequest request) =>
        {
            using var buffer = new MemoryStream();
            await request.Body.CopyToAsync(buffer); // the signature covers the raw bytes
            var raw = buffer.ToArray();
            string Header(string name) => request.Headers["webhook-" + name].ToString();
            var now = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
            if (!Signatures.Verify(raw, Header("id"), Header("timestamp"), Header("signature"), secret, now))
                return Results.BadRequest("wrong signature");
            var @event = JsonNode.Parse(raw)!;
            var id = (string)@event["id"]!;
            var externalId = (string?)@event["external_id"] ?? "";
            var isReal = (bool?)@event["test"] != true
                && (bool?)@event["custom"] != true
                && portal.KnowsTenant(externalId);
            var isSettlement = (string?)@event["type"] == "settlement.created";
            if (isReal && isSettlement && !portal.IsHandled(id))
            {
                var data = @event["data"]!;
                var settlementId = (string)data["settlement_id"]!;
                var (transactionId, arrived) = portal.Debit(settlementId, (long)data["amount_in_cents"]!);
                var report = new
                {
                    status = arrived ? "verified" : "unverified", // sent; report "verified" when it arrives
                    processor_transaction_id = transactionId,
                };
                var answer = await svc.PatchAsJsonAsync($"settlements/{settlementId}", report);
                answer.EnsureSuccessStatusCode();
                var charges = data["charges_and_amounts_paid"]!.AsArray().Select(it =>
                    new PaidCharge((string)it!["charge_id"]!, (long)it["amount_in_cents"]!));
                portal.Credit(externalId, charges, id);
            }
            return Results.NoContent();
        });
    }
}
// #endregion
