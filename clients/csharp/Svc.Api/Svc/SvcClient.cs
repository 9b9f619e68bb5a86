using System;
using System.Collections.Generic;
using System.Net.Http;
using System.Threading;
using System.Threading.Tasks;
using Svc.Api.Api;
using Svc.Api.Client;

namespace Svc
{
    /// <summary>One page of a list: see <see cref="SvcClient.PageOf"/>.</summary>
    public sealed class Page<T>
    {
        internal IEnumerable<T> Items { get; }
        internal string NextCursor { get; }

        internal Page(IEnumerable<T> items, string nextCursor)
        {
            Items = items;
            NextCursor = nextCursor;
        }
    }

    /// <summary>The partner API. Each group of calls is a property, such as <c>client.Tenants</c>.</summary>
    public sealed class SvcClient
    {
        public TenantsApi Tenants { get; }
        public PlansAndSettlementsApi PlansAndSettlements { get; }
        public SimulationApi Simulation { get; }
        public EventsApi Events { get; }
        public WebhookEndpointsApi WebhookEndpoints { get; }
        public WebhookMessagesApi WebhookMessages { get; }
        public WebhookReplaysApi WebhookReplays { get; }
        public PartnerApi Partner { get; }
        public AppearanceApi Appearance { get; }

        /// <param name="apiKey">Stays in your backend.</param>
        /// <param name="baseUrl">Ends with <c>/v1</c>.</param>
        /// <param name="timeout">Of each call. The default is 30 seconds.</param>
        public SvcClient(string apiKey, string baseUrl, TimeSpan? timeout = null)
        {
            var http = new HttpClient(new KeyHandler(apiKey))
            {
                Timeout = timeout ?? TimeSpan.FromSeconds(30),
            };
            var configuration = new Configuration { BasePath = baseUrl };
            Tenants = new TenantsApi(http, configuration) { ExceptionFactory = SvcException.Of };
            PlansAndSettlements =
                new PlansAndSettlementsApi(http, configuration) { ExceptionFactory = SvcException.Of };
            Simulation = new SimulationApi(http, configuration) { ExceptionFactory = SvcException.Of };
            Events = new EventsApi(http, configuration) { ExceptionFactory = SvcException.Of };
            WebhookEndpoints =
                new WebhookEndpointsApi(http, configuration) { ExceptionFactory = SvcException.Of };
            WebhookMessages =
                new WebhookMessagesApi(http, configuration) { ExceptionFactory = SvcException.Of };
            WebhookReplays =
                new WebhookReplaysApi(http, configuration) { ExceptionFactory = SvcException.Of };
            Partner = new PartnerApi(http, configuration) { ExceptionFactory = SvcException.Of };
            Appearance = new AppearanceApi(http, configuration) { ExceptionFactory = SvcException.Of };
        }

        /// <summary>The items of all pages, fetched as they are needed.</summary>
        /// <param name="fetchPage">Gets a cursor, which is null for the first page.</param>
        public static IEnumerable<T> Pages<T>(Func<string, Page<T>> fetchPage)
        {
            string cursor = null;
            do
            {
                var page = fetchPage(cursor);
                foreach (var item in page.Items) yield return item;
                cursor = page.NextCursor;
            } while (cursor != null);
        }

        /// <param name="nextCursor">Null on the last page.</param>
        public static Page<T> PageOf<T>(IEnumerable<T> items, string nextCursor)
        {
            return new Page<T>(items, nextCursor);
        }

        /// <summary>Adds the API key, and a new idempotency key to what changes something and has none.</summary>
        private sealed class KeyHandler : DelegatingHandler
        {
            private readonly string apiKey;

            public KeyHandler(string apiKey) : base(new HttpClientHandler { AllowAutoRedirect = false })
            {
                this.apiKey = apiKey;
            }

            protected override Task<HttpResponseMessage> SendAsync(
                HttpRequestMessage request, CancellationToken cancellation)
            {
                request.Headers.TryAddWithoutValidation("Authorization", "Bearer " + apiKey);
                var changes = request.Method == HttpMethod.Post || request.Method.Method == "PATCH";
                if (changes && !request.Headers.Contains("Idempotency-Key"))
                {
                    request.Headers.Add("Idempotency-Key", Guid.NewGuid().ToString());
                }
                return base.SendAsync(request, cancellation);
            }
        }
    }
}
