package svc;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import svc.api.ApiException;

/** A failed call: {@link #code} is stable, and the message says what to do. */
public final class SvcException extends RuntimeException {
  public final int status;
  public final String code;
  public final String requestId;

  private SvcException(ApiException cause, String code, String message, String requestId) {
    super(message, cause);
    this.status = cause.getCode();
    this.code = code;
    this.requestId = requestId;
  }

  /** Reads the service's answer. Without one, the code is {@code unknown}. */
  public static SvcException of(ApiException exception) {
    String body = exception.getResponseBody();
    try {
      JsonNode error = new ObjectMapper().readTree(body == null ? "" : body).path("error");
      if (error.has("code")) {
        String requestId = error.path("request_id").asText(null);
        String message = error.path("message").asText();
        return new SvcException(exception, error.path("code").asText(), message, requestId);
      }
    } catch (JsonProcessingException notJson) {
      // A proxy answered, so there is no code.
    }
    return new SvcException(exception, "unknown", exception.getMessage(), null);
  }
}
