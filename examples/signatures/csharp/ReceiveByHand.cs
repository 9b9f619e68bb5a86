var app = WebApplication.CreateBuilder(args).Build();
var secret = Environment.GetEnvironmentVariable("SVC_WEBHOOK_SECRET") ?? "";

app.MapPost("/webhooks/svc", async (HttpRequest request) =>
{
    using var buffer = new MemoryStream();
    await request.Body.CopyToAsync(buffer); // Do not parse it: the signature covers the raw bytes.
    string Header(string name) => request.Headers["webhook-" + name].ToString();
    var now = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
    var genuine = Signatures.Verify(
        buffer.ToArray(), Header("id"), Header("timestamp"), Header("signature"), secret, now);
    if (!genuine) return Results.BadRequest();
    Console.WriteLine(Header("id")); // Retries keep the id: skip ids you have processed.
    return Results.NoContent(); // Respond within 15 seconds; queue longer work.
});

app.Run();
