package io.sluice.emulator.http.controlplane;

import io.sluice.emulator.Replication;
import io.sluice.emulator.Topology;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.http.message.ResourcePath;
import io.sluice.emulator.http.message.WireRequest;
import io.sluice.emulator.http.message.WireResponse;
import java.time.Duration;

/** Lets clients outside the emulator's JVM hold regions back and fail over: {@code /_emulator/regions/<name>/…}. */
public final class RegionHandlers {
    private final Topology topology;
    private final Replication replication;

    /** @param replication between the regions */
    public RegionHandlers(Topology topology, Replication replication) {
        this.topology = topology;
        this.replication = replication;
    }

    /** The answer to {@code POST …/stop}, {@code …/delay}, {@code …/resume} and {@code …/failover}: the regions. */
    public WireResponse control(WireRequest request, ResourcePath path) {
        ControlHandlers.checkControl(request);
        var region = path.segments().get(1);
        try {
            switch (request.method() + " " + path.last()) {
                case "POST stop" -> replication.stop(region);
                case "POST resume" -> replication.resume(region);
                case "POST delay" -> replication.delay(region, seconds(request));
                case "POST failover" -> failOver(region, request);
                default ->
                    throw new StatusException(404, 0, "There is no such control: " + request.method() + " " + path);
            }
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw StatusException.badRequest(String.valueOf(e.getMessage()));
        }
        var body = Json.object();
        topology.writeRegions().forEach(body.putArray("writeRegions")::add);
        topology.regions().forEach(body.putArray("regions")::add);
        return WireResponse.json(200, body);
    }

    private void failOver(String region, WireRequest request) {
        if (request.object().path("loss").asBoolean()) {
            replication.failOverWithLoss(region);
        } else {
            topology.failOver(region);
        }
    }

    private static Duration seconds(WireRequest request) {
        var seconds = request.object().path("seconds");
        if (!seconds.isNumber()) {
            throw StatusException.badRequest("'seconds' must be a number, was " + seconds);
        }
        return Duration.ofMillis(Math.round(seconds.doubleValue() * 1_000));
    }
}
