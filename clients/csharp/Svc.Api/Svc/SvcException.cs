using System;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;
using Svc.Api.Client;

namespace Svc
{
    /// <summary>A failed call: <see cref="Code"/> is stable, and the message says what to do.</summary>
    public sealed class SvcException : Exception
    {
        public int Status { get; }
        public string Code { get; }
        public string RequestId { get; }

        private SvcException(int status, string code, string message, string requestId) : base(message)
        {
            Status = status;
            Code = code;
            RequestId = requestId;
        }

        /// <summary>Reads the service's answer. Without one, the code is <c>unknown</c>.</summary>
        internal static Exception Of(string call, IApiResponse response)
        {
            var status = (int)response.StatusCode;
            // 0: the generated client got no answer.
            if (status >= 200 && status < 300) return null;
            try
            {
                if (JObject.Parse(response.RawContent ?? "")["error"] is JObject error)
                {
                    return new SvcException(
                        status, (string)error["code"], (string)error["message"], (string)error["request_id"]);
                }
            }
            catch (JsonException)
            {
                // A proxy answered, so there is no code.
            }
            return new SvcException(status, "unknown", $"{call} was answered with {status}.", null);
        }
    }
}
