package io.sluice.durabletask.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Asks a running host at its port for operators how it is, for the probes of containers. */
final class HealthProbe {
    /** The host's port answers at once, or is as good as dead. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static final int OK = 200;

    private HealthProbe() {}

    /**
     * Prints what the host answers.
     *
     * @param url the host's port for operators
     * @param path of what is asked
     * @return whether it is well; not when there is no answer
     */
    static boolean isWell(URI url, String path, PrintWriter out) throws InterruptedException {
        URI at = url.resolve(path);
        try {
            HttpResponse<String> answer = HttpClient.newBuilder()
                    .connectTimeout(TIMEOUT)
                    .build()
                    .send(HttpRequest.newBuilder(at).timeout(TIMEOUT).build(), HttpResponse.BodyHandlers.ofString());
            out.println(answer.body());
            out.flush();
            return answer.statusCode() == OK;
        } catch (IOException e) {
            out.println("no host answers at " + at + " (" + e + "); check --url");
            out.flush();
            return false;
        }
    }
}
