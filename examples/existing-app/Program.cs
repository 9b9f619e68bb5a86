// #region app
var options = new WebApplicationOptions { Args = args, WebRootPath = "public" }; // your pages
var app = WebApplication.CreateBuilder(options).Build();
app.UseStaticFiles();
app.MapSvc(new Portal());
app.Run("http://localhost:3000");

record Charge(string Id, string DueDate, long AmountInCents);
record PaidCharge(string ChargeId, long AmountInCents);
record Tenant(
    string Id, long Balance, string FirstName, string LastName, string Email, IReadOnlyList<Charge> OpenCharges);

/// <summary>Your app: its sessions, its ledger, and its processor.</summary>
class Portal
{
    readonly object ledger = new();
    readonly HashSet<string> handledIds = new(); // a table of yours, so that it survives a restart
    Tenant tenant = new("t-100", 152012, "Ada", "Lane", "ada@example.com", // cents
        new[] { new Charge("C-1", Today(), 152012) });

    // The day in the home's time zone, as your ledger has it.
    static string Today() => TimeZoneInfo
        .ConvertTimeBySystemTimeZoneId(DateTime.UtcNow, "America/Chicago")
        .ToString("yyyy-MM-dd");

    public Tenant CurrentTenant(HttpRequest request) => tenant; // from your session and your ledger

    // In the sandbox, also the tenants of `svc certify`.
    public bool KnowsTenant(string externalId) =>
        externalId == tenant.Id || externalId.StartsWith("certify-", StringComparison.Ordinal);

    public bool IsHandled(string eventId)
    {
        lock (ledger) return handledIds.Contains(eventId);
    }

    public (string TransactionId, bool Arrived) Debit(string settlementId, long amountInCents)
    {
        Console.WriteLine($"Debit {amountInCents} for {settlementId}"); // your processor
        return ("tr_" + settlementId, true);
    }

    // Credits the charges, and remembers the event, in one transaction of yours.
    public void Credit(string externalId, IEnumerable<PaidCharge> charges, string eventId)
    {
        lock (ledger)
        {
            foreach (var paid in charges.Where(_ => externalId == tenant.Id))
                tenant = tenant with
                {
                    Balance = tenant.Balance - paid.AmountInCents,
                    OpenCharges = tenant.OpenCharges.Where(it => it.Id != paid.ChargeId).ToList(),
                };
            handledIds.Add(eventId);
        }
    }
}
// #endregion
