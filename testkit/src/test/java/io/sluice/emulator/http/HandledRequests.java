package io.sluice.emulator.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.sluice.emulator.Replication;
import io.sluice.emulator.Topology;
import io.sluice.emulator.http.controlplane.AccountHandlers;
import io.sluice.emulator.http.controlplane.RegionHandlers;
import io.sluice.emulator.http.dataplane.ThroughputLimiter;
import io.sluice.emulator.http.message.ResourcePath;
import io.sluice.emulator.http.message.WireRequest;
import io.sluice.emulator.http.message.WireResponse;
import io.sluice.emulator.store.Account;
import io.sluice.emulator.store.VersionRetention;
import java.time.Instant;
import java.util.List;

/**
 * An emulator without sockets and signatures, new for each text: what a handler throws comes out as it is. A text is a
 * request line, headers, an empty line and a body, as on the wire but with bare line ends.
 */
final class HandledRequests implements AutoCloseable {
    private static final Instant NOW = Instant.parse("2026-03-04T05:06:07Z");
    private static final List<String> SETUP = List.of(
            "POST /dbs\n\n{\"id\":\"d\"}",
            """
            POST /dbs/d/colls
            x-ms-offer-throughput: 12000

            {"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},"defaultTtl":-1,\
            "uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/u"]}]},\
            "indexingPolicy":{"compositeIndexes":[[{"path":"/n"},{"path":"/id"}]]}}""",
            """
            POST /dbs/d/colls

            {"id":"h","partitionKey":{"paths":["/a","/b"],"kind":"MultiHash","version":2}}""",
            item("{\"id\":\"i1\",\"pk\":\"a\",\"n\":1,\"z\":0,\"u\":1,\"list\":[1,{\"x\":2}],\"o\":{\"p\":{}}}"),
            item("{\"id\":\"i2\",\"pk\":\"a\",\"n\":1.7e308,\"u\":2,\"ttl\":60}"),
            item("{\"id\":\"i3\",\"pk\":\"a\",\"n\":9223372036854775807,\"u\":null}"));

    private final Account account = Account.open(null, 2, new VersionRetention(true), () -> NOW);
    private final Router router;

    HandledRequests() {
        var topology = new Topology(List.of("R"), false);
        topology.setEndpoint("R", "http://127.0.0.1:1/");
        router = new Router(
                account,
                new AccountHandlers(topology, true, false),
                new RegionHandlers(topology, new Replication(account, topology)),
                new ThroughputLimiter(account, 0, () -> NOW));
        SETUP.forEach(this::answer);
    }

    private static String item(String document) {
        return "POST /dbs/d/colls/c/docs\nx-ms-documentdb-partitionkey: [\"a\"]\n\n" + document;
    }

    /** The answer to a request. */
    WireResponse answer(String text) {
        var request = request(text);
        return router.route(request).handler().handle(request);
    }

    static WireRequest request(String text) {
        int end = text.indexOf("\n\n");
        var head = (end < 0 ? text : text.substring(0, end)).split("\n", -1);
        var line = head[0].split(" ", 3);
        var headers =
                DefaultHttpHeadersFactory.headersFactory().withValidation(false).newHeaders();
        for (int i = 1; i < head.length; i++) {
            int colon = head[i].indexOf(':');
            if (colon > 0) {
                headers.add(
                        head[i].substring(0, colon),
                        head[i].substring(colon + 1).trim());
            }
        }
        return new WireRequest(
                "R",
                line[0],
                ResourcePath.parse(line.length < 2 ? "" : line[1]),
                headers,
                end < 0 ? new byte[0] : text.substring(end + 2).getBytes(UTF_8));
    }

    @Override
    public void close() {
        account.close();
    }
}
