using System;
using System.Linq;
using System.Security.Cryptography;
using System.Text;

static class Signatures
{
    // #region sign
    public static string SignWidget(string apiKey, string pms, string externalId)
    {
        using (var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(apiKey)))
        {
            var digest = hmac.ComputeHash(Encoding.UTF8.GetBytes(pms + "+" + externalId));
            return BitConverter.ToString(digest).Replace("-", "").ToLowerInvariant();
        }
    }
    // #endregion

    // #region verify
    public static bool Verify(
        byte[] raw, string id, string timestamp, string signature, string secret, long now)
    {
        long seconds;
        if (string.IsNullOrEmpty(id) || !long.TryParse(timestamp, out seconds)) return false;
        if (seconds < now - 300 || seconds > now + 300) return false;
        byte[] expected;
        using (var hmac = new HMACSHA256(Convert.FromBase64String(secret.Replace("whsec_", ""))))
        {
            var signed = Encoding.UTF8.GetBytes(id + "." + timestamp + ".").Concat(raw).ToArray();
            expected = Encoding.ASCII.GetBytes(Convert.ToBase64String(hmac.ComputeHash(signed)));
        }
        // During a rotation there is one entry per active secret; one match is enough.
        return (signature ?? "").Split(' ').Any(entry =>
            entry.StartsWith("v1,", StringComparison.Ordinal)
            && AreEqual(Encoding.UTF8.GetBytes(entry.Substring(3)), expected));
    }

    // In .NET, CryptographicOperations.FixedTimeEquals does this.
    static bool AreEqual(byte[] given, byte[] expected)
    {
        var difference = given.Length ^ expected.Length;
        for (var index = 0; index < given.Length && index < expected.Length; index++)
            difference |= given[index] ^ expected[index];
        return difference == 0;
    }
    // #endregion
}
