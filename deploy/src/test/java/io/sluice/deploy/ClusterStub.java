package io.sluice.deploy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;

/** As much of a Kubernetes API server as Helm's {@code lookup} of autoscalers asks for. */
final class ClusterStub implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String GROUP = "autoscaling/v2";
    private static final String KIND = "HorizontalPodAutoscaler";

    private final HttpServer server;

    private ClusterStub(Map<String, Object> autoscaler) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        answer("/version", Map.of("major", "1", "minor", "31", "gitVersion", "v1.31.0"));
        answer("/api", Map.of("kind", "APIVersions", "versions", List.of("v1")));
        answer("/api/v1", Map.of("kind", "APIResourceList", "groupVersion", "v1", "resources", List.of()));
        var version = Map.of("groupVersion", GROUP, "version", "v2");
        answer(
                "/apis",
                Map.of(
                        "kind",
                        "APIGroupList",
                        "apiVersion",
                        "v1",
                        "groups",
                        List.of(Map.of(
                                "name", "autoscaling", "versions", List.of(version), "preferredVersion", version))));
        answer(
                "/apis/" + GROUP,
                Map.of(
                        "kind",
                        "APIResourceList",
                        "groupVersion",
                        GROUP,
                        "resources",
                        List.of(Map.of(
                                "name",
                                "horizontalpodautoscalers",
                                "singularName",
                                "horizontalpodautoscaler",
                                "namespaced",
                                true,
                                "kind",
                                KIND,
                                "verbs",
                                List.of("get", "list")))));
        answer(
                "/apis/" + GROUP + "/namespaces/default/horizontalpodautoscalers",
                Map.of("kind", KIND + "List", "apiVersion", GROUP, "metadata", Map.of(), "items", List.of(autoscaler)));
        server.start();
    }

    /** A cluster whose only autoscaler has this name and these labels, and scales a Deployment. */
    static ClusterStub withAutoscaler(String name, String target, Map<String, String> labels) throws IOException {
        return new ClusterStub(Map.of(
                "kind",
                KIND,
                "apiVersion",
                GROUP,
                "metadata",
                Map.of("name", name, "namespace", "default", "labels", labels),
                "spec",
                Map.of("scaleTargetRef", Map.of("apiVersion", "apps/v1", "kind", "Deployment", "name", target))));
    }

    private void answer(String path, Object content) {
        server.createContext(path, exchange -> {
            boolean isKnown = exchange.getRequestURI().getPath().equals(path);
            byte[] body = isKnown ? JSON.writeValueAsBytes(content) : new byte[0];
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(isKnown ? 200 : 404, body.length == 0 ? -1 : body.length);
            try (var out = exchange.getResponseBody()) {
                out.write(body);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** With which Helm asks it. */
    String[] arguments() {
        return new String[] {
            "--dry-run=server",
            "--kube-apiserver",
            "http://127.0.0.1:" + server.getAddress().getPort()
        };
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
