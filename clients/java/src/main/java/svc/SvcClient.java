package svc;

import java.net.http.HttpRequest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.UUID;
import svc.api.ApiClient;
import svc.api.ApiException;
import svc.api.calls.AppearanceApi;
import svc.api.calls.EventsApi;
import svc.api.calls.PartnerApi;
import svc.api.calls.PlansAndSettlementsApi;
import svc.api.calls.SimulationApi;
import svc.api.calls.TenantsApi;
import svc.api.calls.WebhookEndpointsApi;
import svc.api.calls.WebhookMessagesApi;
import svc.api.calls.WebhookReplaysApi;

/** The partner API. Each group of calls is a field, such as {@code client.tenants}. */
public final class SvcClient {
  public final TenantsApi tenants;
  public final PlansAndSettlementsApi plansAndSettlements;
  public final SimulationApi simulation;
  public final EventsApi events;
  public final WebhookEndpointsApi webhookEndpoints;
  public final WebhookMessagesApi webhookMessages;
  public final WebhookReplaysApi webhookReplays;
  public final PartnerApi partner;
  public final AppearanceApi appearance;

  /** @param baseUrl ends with {@code /v1} */
  public SvcClient(String apiKey, String baseUrl) {
    ApiClient api = new ApiClient();
    api.updateBaseUri(baseUrl);
    api.setRequestInterceptor(request -> addHeaders(request, apiKey));
    tenants = new TenantsApi(api);
    plansAndSettlements = new PlansAndSettlementsApi(api);
    simulation = new SimulationApi(api);
    events = new EventsApi(api);
    webhookEndpoints = new WebhookEndpointsApi(api);
    webhookMessages = new WebhookMessagesApi(api);
    webhookReplays = new WebhookReplaysApi(api);
    partner = new PartnerApi(api);
    appearance = new AppearanceApi(api);
  }

  /** With an Idempotency-Key, the service does the call once, also if it is sent again. */
  private static void addHeaders(HttpRequest.Builder builder, String apiKey) {
    builder.setHeader("Authorization", "Bearer " + apiKey);
    HttpRequest request = builder.build();
    boolean changes = request.method().equals("POST") || request.method().equals("PATCH");
    if (changes && request.headers().firstValue("Idempotency-Key").isEmpty()) {
      builder.setHeader("Idempotency-Key", UUID.randomUUID().toString());
    }
  }

  /** One page of a list. */
  public record Page<Item>(List<Item> items, String nextCursor) {}

  /** Fetches a page. */
  @FunctionalInterface
  public interface FetchPage<Item> {
    /** @param cursor null for the first page */
    Page<Item> fetch(String cursor) throws ApiException;
  }

  /** The items of all pages, fetched as they are needed. A failed call throws {@link SvcException}. */
  public static <Item> Iterable<Item> pages(FetchPage<Item> fetchPage) {
    return () -> new PageIterator<>(fetchPage);
  }

  private static final class PageIterator<Item> implements Iterator<Item> {
    private final FetchPage<Item> fetchPage;
    private final Deque<Item> fetched = new ArrayDeque<>();
    private String cursor;
    private boolean ended;

    PageIterator(FetchPage<Item> fetchPage) {
      this.fetchPage = fetchPage;
    }

    @Override
    public boolean hasNext() {
      while (fetched.isEmpty() && !ended) {
        try {
          Page<Item> page = fetchPage.fetch(cursor);
          fetched.addAll(page.items());
          cursor = page.nextCursor();
          ended = cursor == null;
        } catch (ApiException exception) {
          throw SvcException.of(exception);
        }
      }
      return !fetched.isEmpty();
    }

    @Override
    public Item next() {
      if (!hasNext()) throw new NoSuchElementException();
      return fetched.remove();
    }
  }
}
