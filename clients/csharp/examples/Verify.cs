using System;
using System.Collections.Generic;
using Org.BouncyCastle.Math.EC.Rfc8032;
using Svc;
using Svc.Api.Model;

/// <summary>Verifies messages from the standard input, one a line: keys, id, timestamp, signature and body in base64.</summary>
static class Verify
{
    static void Main()
    {
        for (var line = Console.ReadLine(); line != null; line = Console.ReadLine())
        {
            var fields = line.Split('\t');
            var keys = fields[0].Split(new[] { ' ' }, StringSplitOptions.RemoveEmptyEntries);
            var headers = new Dictionary<string, string>
            {
                ["Webhook-Id"] = fields[1],
                ["Webhook-Timestamp"] = fields[2],
                ["Webhook-Signature"] = fields[3],
            };
            try
            {
                var received = Receive(Convert.FromBase64String(fields[4]), headers, keys);
                Console.WriteLine($"verified {received.Type} {received.ExternalId}");
            }
            catch (WebhookVerificationException error)
            {
                Console.WriteLine("refused " + error.Message);
            }
            catch (ArgumentException error)
            {
                Console.WriteLine("misconfigured " + error.Message);
            }
        }
    }

    // #region verify
    static TenantUpdatedEvent Receive(byte[] body, IDictionary<string, string> headers, IEnumerable<string> keys)
    {
        // dotnet add package BouncyCastle.Cryptography
        Ed25519Verifier verifyEd25519 = (key, message, signature) =>
            Ed25519.Verify(signature, 0, key, 0, message, 0, message.Length);
        return (TenantUpdatedEvent)Signatures.VerifyWebhook(body, headers, keys, verifyEd25519);
    }
    // #endregion
}
