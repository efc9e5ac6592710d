package io.sluice.relay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/** An operator with an HTTP client. */
public final class OpsClient {
    static final String TOKEN = "token-of-this-test-0123456789";
    private static final JsonMapper JSON = new JsonMapper();

    private final HttpClient client = HttpClient.newHttpClient();
    private final String base;

    OpsClient(int port) {
        this.base = "http://127.0.0.1:" + port;
    }

    record Reply(int status, String body) {
        JsonNode json() {
            try {
                return JSON.readTree(body);
            } catch (JsonProcessingException e) {
                throw new AssertionError("no JSON: " + body, e);
            }
        }
    }

    String url(String path) {
        return base + path;
    }

    static String encoded(String segment) {
        return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
    }

    Reply get(String path) {
        return send(HttpRequest.newBuilder(URI.create(base + path)));
    }

    Reply post(String path) {
        return send(HttpRequest.newBuilder(URI.create(base + path))
                .header("Authorization", "Bearer " + TOKEN)
                .POST(HttpRequest.BodyPublishers.noBody()));
    }

    Reply send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
            return new Reply(answer.statusCode(), answer.body());
        } catch (IOException e) {
            throw new AssertionError("no answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
