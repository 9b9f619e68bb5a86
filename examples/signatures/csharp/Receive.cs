using System.Text.Json;
using StandardWebhooks;

var app = WebApplication.CreateBuilder(args).Build();
var webhook = new StandardWebhook(Environment.GetEnvironmentVariable("SVC_WEBHOOK_SECRET") ?? "");

app.MapPost("/webhooks/svc", async (HttpRequest request) =>
{
    var body = await new StreamReader(request.Body).ReadToEndAsync(); // The signature covers it unparsed.
    // StandardWebhooks 1.1.2 never compares the last of several signatures. While a rotated secret
    // still signs there are two, so put an empty one last.
    var signatures = request.Headers["webhook-signature"].ToString();
    request.Headers["webhook-signature"] = signatures + " v1,";
    try
    {
        webhook.Verify(body, request.Headers);
    }
    catch (Exception error)
    {
        return Results.Text(error.Message, statusCode: 400); // The console shows it.
    }
    using var payload = JsonDocument.Parse(body);
    var type = payload.RootElement.GetProperty("type").GetString();
    // Retries keep the id: skip ids you have processed.
    Console.WriteLine($"{request.Headers["webhook-id"]} {type}");
    return Results.NoContent(); // Respond within 15 seconds; queue longer work.
});

app.Run();
