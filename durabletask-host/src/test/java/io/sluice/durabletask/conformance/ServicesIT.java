package io.sluice.durabletask.conformance;

import static io.sluice.durabletask.conformance.HostFixture.unique;
import static io.sluice.durabletask.turn.Answers.completed;
import static io.sluice.durabletask.turn.Answers.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.durabletask.http.HostEndpoints;
import io.sluice.program.http.OpsPort;
import io.sluice.program.http.OpsServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is there besides the protocol: health, reflection, the operators' port, metrics. */
class ServicesIT {
    @RegisterExtension
    static final HostFixture host = HostFixture.usual();

    private final String name = unique("Order");
    private final String activity = unique("Ship");

    @Test
    void the_health_service_says_that_the_host_serves_until_it_closes() {
        OpenHost one = host.another();
        HealthGrpc.HealthBlockingStub health =
                HealthGrpc.newBlockingStub(one.client().channel()).withDeadlineAfter(60, TimeUnit.SECONDS);
        Iterator<HealthCheckResponse> watch = health.watch(HealthCheckRequest.getDefaultInstance());
        ServingStatus before = watch.next().getStatus();

        one.host().close();

        assertThat(before).isEqualTo(ServingStatus.SERVING);
        assertThat(watch.next().getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
    }

    @Test
    void reflection_names_the_protocol_s_service() throws Exception {
        CompletableFuture<List<String>> names = new CompletableFuture<>();
        StreamObserver<ServerReflectionRequest> request = ServerReflectionGrpc.newStub(
                        host.client().channel())
                .serverReflectionInfo(new StreamObserver<>() {
                    @Override
                    public void onNext(ServerReflectionResponse response) {
                        names.complete(response.getListServicesResponse().getServiceList().stream()
                                .map(ServiceResponse::getName)
                                .toList());
                    }

                    @Override
                    public void onError(Throwable failure) {
                        names.completeExceptionally(failure);
                    }

                    @Override
                    public void onCompleted() {}
                });

        request.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());

        assertThat(names.get(60, TimeUnit.SECONDS)).contains("TaskHubSidecarService", "grpc.health.v1.Health");
        request.onCompleted();
    }

    private static HttpResponse<String> get(int port, String path) {
        try {
            return HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError("the operators' port does not answer", e);
        }
    }

    @Test
    void the_operators_port_shows_health_and_status() {
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        OpenHost one = host.another(host.config().withMeters(meters));
        ScriptedWorker worker = one.worker().takes(name).connect();
        String instance = one.client().start(name, "1");
        worker.turn(instance);
        HostEndpoints endpoints = new HostEndpoints(
                List::of, () -> one.host().faults(), () -> one.host().status(), meters);
        try (OpsServer ops = new OpsServer(new OpsPort("127.0.0.1", 0, null), endpoints.all())) {
            ops.start();
            assertThat(get(ops.port(), "/health/live").statusCode()).isEqualTo(200);
            assertThat(get(ops.port(), "/health/ready").statusCode()).isEqualTo(200);
            assertThat(get(ops.port(), "/status").body())
                    .contains("\"ready\":true", "\"workers\":1", "\"turnsInHand\":1", "\"activitiesInHand\":0");
            assertThat(get(ops.port(), "/nothing").statusCode()).isEqualTo(404);

            one.host().close();

            assertThat(get(ops.port(), "/health/live").statusCode()).isEqualTo(200);
            HttpResponse<String> ready = get(ops.port(), "/health/ready");
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(ready.body()).contains("the host closes");
        }
    }

    @Test
    void metrics_count_what_becomes_of_work() {
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        OpenHost one = host.another(host.config().withMeters(meters));
        ScriptedWorker worker = one.worker().takes(name).takesActivity(activity).connect();
        String instance = one.client().start(name, "1");
        worker.decide(instance, task(0, activity, "in"));
        worker.complete(worker.activity(instance), "out");
        worker.decide(instance, completed(1, "42"));
        String left = one.client().start(name, "2");
        worker.turn(left);
        worker.close();
        await().until(() -> one.hub().workers().count() == 0);

        await().untilAsserted(() -> assertThat(meters.scrape())
                .contains("sluice_host_work_seconds_count{hub=\"default\",kind=\"turn\"} 2")
                .contains("sluice_host_work_seconds_count{hub=\"default\",kind=\"activity\"} 1")
                .contains("sluice_host_returned_total{cause=\"worker_gone\",hub=\"default\",kind=\"turn\"} 1.0")
                .contains("sluice_host_workers{hub=\"default\"} 0.0")
                .contains("sluice_host_work_in_hand{hub=\"default\",kind=\"turn\"} 0.0"));
    }
}
