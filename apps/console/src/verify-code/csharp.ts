import { type Language, quote } from './language.ts';

const verify = `static bool Verify(
    byte[] raw, string id, string timestamp, string signature, string secret, long now)
{
    if (id == "" || !long.TryParse(timestamp, out var seconds)) return false;
    if (seconds < now - 300 || seconds > now + 300) return false;
    var key = Convert.FromBase64String(secret.Replace("whsec_", ""));
    var signed = Encoding.UTF8.GetBytes(id + "." + timestamp + ".").Concat(raw).ToArray();
    var expected = Encoding.ASCII.GetBytes(Convert.ToBase64String(HMACSHA256.HashData(key, signed)));
    // During a rotation there is one entry per active secret; one match is enough.
    return signature.Split(' ').Any(entry =>
        entry.StartsWith("v1,", StringComparison.Ordinal)
        && CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(entry.Substring(3)), expected));
}`;

export const csharp: Language = {
  name: 'C#',
  libraries: [
    {
      name: 'Standard Webhooks',
      install: 'dotnet add package StandardWebhooks',
      file: 'Program.cs',
      needs: '.NET 8. The package is a community build of the reference library.',
      code: (path) => `using System.Text.Json;
using StandardWebhooks;

var app = WebApplication.CreateBuilder(args).Build();
var webhook = new StandardWebhook(Environment.GetEnvironmentVariable("SVC_WEBHOOK_SECRET") ?? "");

app.MapPost(${quote(path)}, async (HttpRequest request) =>
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
        return Results.Text(error.Message, statusCode: 400); // Shown in this console.
    }
    using var payload = JsonDocument.Parse(body);
    var type = payload.RootElement.GetProperty("type").GetString();
    // Retries keep the id: skip ids you have processed.
    Console.WriteLine($"{request.Headers["webhook-id"]} {type}");
    return Results.NoContent(); // Respond within 15 seconds; queue longer work.
});

app.Run();
`,
    },
  ],
  manual: {
    file: 'Program.cs',
    needs: '.NET 8, no library.',
    verify,
    code: (path) => `using System.Security.Cryptography;
using System.Text;

var app = WebApplication.CreateBuilder(args).Build();
var secret = Environment.GetEnvironmentVariable("SVC_WEBHOOK_SECRET") ?? "";

app.MapPost(${quote(path)}, async (HttpRequest request) =>
{
    using var buffer = new MemoryStream();
    await request.Body.CopyToAsync(buffer); // Do not parse it: the signature covers the raw bytes.
    string Header(string name) => request.Headers["webhook-" + name].ToString();
    var now = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
    var genuine = Verify(
        buffer.ToArray(), Header("id"), Header("timestamp"), Header("signature"), secret, now);
    if (!genuine) return Results.BadRequest();
    Console.WriteLine(Header("id")); // Retries keep the id: skip ids you have processed.
    return Results.NoContent(); // Respond within 15 seconds; queue longer work.
});

app.Run();

${verify}
`,
  },
};
