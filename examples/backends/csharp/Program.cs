// #region app
using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json.Nodes;
using StandardWebhooks;

var key = Environment.GetEnvironmentVariable("SVC_API_KEY")!;
var pms = Environment.GetEnvironmentVariable("SVC_PMS")!;
var webhook = new StandardWebhook(Environment.GetEnvironmentVariable("SVC_WEBHOOK_SECRET")!);
var tenant = (Id: "t-100", Balance: 152012); // cents; replace with your signed-in tenant
var api = "http://localhost:4000/v1";
var svc = new HttpClient { BaseAddress = new Uri(api + "/") };
svc.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", key);
var app = WebApplication.CreateBuilder(args).Build();
// #endregion

// #region signature
app.MapGet("/api/svc/settings", () =>
{
    var message = Encoding.UTF8.GetBytes($"{pms}+{tenant.Id}");
    var mac = HMACSHA256.HashData(Encoding.UTF8.GetBytes(key), message);
    var signature = Convert.ToHexString(mac).ToLowerInvariant();
    return new
    {
        pms, externalId = tenant.Id, balance = tenant.Balance, signature,
        environment = "sandbox", baseUrl = api,
    };
});
// #endregion

// #region token
app.MapPost("/api/svc/token", async () =>
{
    var charge = new
    {
        id = "C-1",
        due_date = DateTime.Today.ToString("yyyy-MM-dd"),
        amount_in_cents = tenant.Balance,
    };
    var answer = await svc.PostAsJsonAsync(
        $"tenant/portal_info/{Uri.EscapeDataString(tenant.Id)}",
        new { first_name = "Ada", last_name = "Lane", email = "ada@example.com", charges = new[] { charge } });
    answer.EnsureSuccessStatusCode();
    var body = await answer.Content.ReadFromJsonAsync<JsonObject>();
    return new { token = body!["data"]!["token"]!.GetValue<string>() };
});
// #endregion

// #region webhook
app.MapPost("/api/svc/webhooks", async (HttpRequest request) =>
{
    var body = await new StreamReader(request.Body).ReadToEndAsync();
    // StandardWebhooks 1.1.2 ignores the last of several signatures, so an empty one follows.
    request.Headers["webhook-signature"] = request.Headers["webhook-signature"] + " v1,";
    try
    {
        webhook.Verify(body, request.Headers);
    }
    catch (Exception error)
    {
        return Results.BadRequest(error.Message);
    }
    var @event = JsonNode.Parse(body)!;
    var isReal = @event["test"] is null && @event["custom"] is null;
    if (@event["type"]!.GetValue<string>() == "settlement.created" && isReal)
        Console.WriteLine(@event["data"]!["settlement_id"]); // debit it; skip an id that you have stored
    return Results.NoContent();
});

app.Run("http://127.0.0.1:3000");
// #endregion
