using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;
using Svc.Api.Model;

namespace Svc
{
    /// <summary>The widget's signature and the verification of webhooks.</summary>
    public static class Signatures
    {
        private const long ToleranceInSeconds = 300;

        /// <summary>The widget's signature. It never expires, so it can be cached.</summary>
        public static string SignWidget(string apiKey, string pms, string externalId)
        {
            var digest = Hmac(Encoding.UTF8.GetBytes(apiKey), Encoding.UTF8.GetBytes(pms + "+" + externalId));
            return BitConverter.ToString(digest).Replace("-", "").ToLowerInvariant();
        }

        /// <summary>
        /// Returns the event if Svc sent it in the last five minutes. An event of a known type is a model such as
        /// <c>SettlementCreatedEvent</c>; any other is an <see cref="Event"/>.
        /// </summary>
        /// <param name="body">As received.</param>
        /// <param name="secret">The endpoint's <c>whsec_</c> secret.</param>
        /// <exception cref="WebhookVerificationException">The request is not a recent one of Svc.</exception>
        public static object VerifyWebhook(
            byte[] body, IEnumerable<KeyValuePair<string, string>> headers, string secret)
        {
            return VerifyWebhook(body, headers, new[] { secret });
        }

        /// <summary>Verifies with any of several secrets and public keys, as during a rotation.</summary>
        /// <param name="secrets">The endpoint's <c>whsec_</c> secrets and <c>whpk_</c> public keys.</param>
        /// <param name="verifyEd25519">
        /// What verifies with a public key: .NET Standard 2.0 has no ed25519. With the package BouncyCastle.Cryptography:
        /// <c>(key, message, signature) => Ed25519.Verify(signature, 0, key, 0, message, 0, message.Length)</c>
        /// </param>
        public static object VerifyWebhook(
            byte[] body,
            IEnumerable<KeyValuePair<string, string>> headers,
            IEnumerable<string> secrets,
            Ed25519Verifier verifyEd25519 = null)
        {
            var verifiers = secrets.Select(secret => VerifierOf(secret, verifyEd25519)).ToList();
            if (verifiers.Count == 0)
                throw new ArgumentException("There is no secret or public key to verify with.");
            var received = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
            foreach (var header in headers) received[header.Key] = header.Value;
            foreach (var name in new[] { "webhook-id", "webhook-timestamp", "webhook-signature" })
            {
                if (!received.TryGetValue(name, out var value) || value == null)
                    throw new WebhookVerificationException($"The request lacks {name}.");
            }
            var timestamp = received["webhook-timestamp"];
            if (!long.TryParse(timestamp, NumberStyles.None, CultureInfo.InvariantCulture, out var seconds))
                throw new WebhookVerificationException("webhook-timestamp is not a number of seconds.");
            var age = DateTimeOffset.UtcNow.ToUnixTimeSeconds() - seconds;
            if (age > ToleranceInSeconds || age < -ToleranceInSeconds)
                throw new WebhookVerificationException("The message is too old, or this machine's clock is wrong.");

            var start = Encoding.UTF8.GetBytes(received["webhook-id"] + "." + timestamp + ".");
            var signed = start.Concat(body).ToArray();
            bool found = false, matches = false;
            foreach (var verifier in verifiers)
            {
                foreach (var entry in received["webhook-signature"].Split(' '))
                {
                    if (!entry.StartsWith(verifier.Key, StringComparison.Ordinal)) continue;
                    found = true;
                    matches |= verifier.Value(signed, entry.Substring(verifier.Key.Length));
                }
            }
            if (!found)
                throw new WebhookVerificationException(
                    "No signature is of your key's kind: a whsec_ secret verifies v1, and a whpk_ key verifies v1a, "
                    + "which an endpoint with asymmetric_signature sends.");
            if (!matches)
                throw new WebhookVerificationException(
                    "No signature matches. Pass the body as received, and this endpoint's secret or public key.");
            return ParseEvent(Encoding.UTF8.GetString(body));
        }

        private static object ParseEvent(string json)
        {
            // Dates stay text until the model says what they are.
            var settings = new JsonSerializerSettings
            {
                DateParseHandling = DateParseHandling.None,
                ConstructorHandling = ConstructorHandling.AllowNonPublicDefaultConstructor,
            };
            var read = JsonConvert.DeserializeObject<JObject>(json, settings);
            var name = "";
            foreach (var word in ((string)read["type"]).Split('.', '_'))
                if (word.Length > 0) name += char.ToUpperInvariant(word[0]) + word.Substring(1);
            var isCustom = (bool?)read["custom"] == true;
            var model = isCustom ? null : typeof(Event).Assembly.GetType("Svc.Api.Model." + name + "Event");
            return JsonConvert.DeserializeObject(json, model ?? typeof(Event), settings);
        }

        /// <summary>The version of the signatures that a secret or key verifies, and what verifies one.</summary>
        private static KeyValuePair<string, Func<byte[], string, bool>> VerifierOf(
            string secret, Ed25519Verifier verifyEd25519)
        {
            if (secret.StartsWith("whpk_", StringComparison.Ordinal))
            {
                var publicKey = Decode(secret.Substring(5));
                if (publicKey.Length != 32)
                    throw new ArgumentException("The public key is not whpk_ followed by the base64 of 32 bytes.");
                if (verifyEd25519 == null)
                    throw new ArgumentException("A whpk_ key needs verifyEd25519: .NET Standard 2.0 has no ed25519.");
                return new KeyValuePair<string, Func<byte[], string, bool>>("v1a,", (signed, signature) =>
                {
                    var given = Decode(signature);
                    return given.Length == 64 && verifyEd25519(publicKey, signed, given);
                });
            }
            var key = Decode(secret.StartsWith("whsec_", StringComparison.Ordinal) ? secret.Substring(6) : secret);
            if (key.Length == 0) throw new ArgumentException("The secret is not whsec_ followed by base64.");
            return new KeyValuePair<string, Func<byte[], string, bool>>("v1,", (signed, signature) =>
                AreEqual(Convert.ToBase64String(Hmac(key, signed)), signature));
        }

        /// <summary>Returns no bytes if the text is not base64.</summary>
        private static byte[] Decode(string base64)
        {
            try
            {
                return Convert.FromBase64String(base64);
            }
            catch (FormatException)
            {
                return new byte[0];
            }
        }

        private static byte[] Hmac(byte[] key, byte[] message)
        {
            using (var hmac = new HMACSHA256(key)) return hmac.ComputeHash(message);
        }

        /// <summary>Takes the same time for each text of a length.</summary>
        private static bool AreEqual(string expected, string given)
        {
            var difference = expected.Length ^ given.Length;
            for (var index = 0; index < expected.Length && index < given.Length; index++)
                difference |= expected[index] ^ given[index];
            return difference == 0;
        }
    }

    /// <summary>Whether an ed25519 signature of 64 bytes is the key's, which has 32 bytes.</summary>
    public delegate bool Ed25519Verifier(byte[] publicKey, byte[] message, byte[] signature);

    /// <summary>The request is not a recent one of Svc, or the secret is another endpoint's.</summary>
    public sealed class WebhookVerificationException : Exception
    {
        internal WebhookVerificationException(string message) : base(message) { }
    }
}
