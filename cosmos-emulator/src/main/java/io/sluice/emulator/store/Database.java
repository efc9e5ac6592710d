package io.sluice.emulator.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.throughput.TokenBucket;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** A database with its containers. Thread-safe. */
public final class Database {
    private final String id;
    private final String rid;
    private final int number;
    private final long createdSeconds;
    private final Map<Integer, TokenBucket> requestUnits = new ConcurrentHashMap<>();
    private final Map<String, Container> containers = new ConcurrentSkipListMap<>();

    Database(String id, int number, long createdSeconds) {
        this.id = id;
        this.number = number;
        this.rid = ResourceIds.database(number);
        this.createdSeconds = createdSeconds;
    }

    /** Its name. */
    public String id() {
        return id;
    }

    /** Its resource id. */
    public String rid() {
        return rid;
    }

    String selfLink() {
        return "dbs/" + rid + "/";
    }

    /**
     * The request units of one share of the database's throughput, which containers without an offer use together.
     *
     * @param index of the partition, from 0
     */
    public TokenBucket requestUnits(int index) {
        return requestUnits.computeIfAbsent(index, unused -> new TokenBucket());
    }

    /** Its containers, by name. */
    public List<Container> containers() {
        return List.copyOf(containers.values());
    }

    /** The container with a name or resource id. */
    public Optional<Container> container(String idOrRid) {
        var byName = Optional.ofNullable(containers.get(idOrRid));
        return byName.isPresent() ? byName : containerByRid(idOrRid);
    }

    /** The container with a resource id, whatever names others have. */
    Optional<Container> containerByRid(String containerRid) {
        return containers.values().stream()
                .filter(container -> container.rid().equals(containerRid))
                .findFirst();
    }

    /** What a client reads of it. */
    public ObjectNode describe() {
        var described = Json.object().put("id", id).put("_rid", rid).put("_self", selfLink());
        described.put("_etag", etag()).put("_colls", "colls/");
        return described.put("_users", "users/").put("_ts", createdSeconds);
    }

    /** The ETag of its one version. */
    public String etag() {
        return "\"" + Integer.toHexString(number) + "-0\"";
    }

    int number() {
        return number;
    }

    long createdSeconds() {
        return createdSeconds;
    }

    /**
     * Checks a container that a request found before it waited for other changes.
     *
     * @throws StatusException 404 when it was deleted meanwhile
     */
    void checkPresent(Container container) {
        if (containers.get(container.properties().id()) != container) {
            throw StatusException.notFound();
        }
    }

    void add(Container container) {
        containers.put(container.properties().id(), container);
    }

    void remove(Container container) {
        containers.remove(container.properties().id());
    }
}
