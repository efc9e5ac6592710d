package io.sluice.provider.world;

import io.sluice.provider.world.site.Fault;
import io.sluice.provider.world.site.Grant;
import io.sluice.provider.world.site.Site;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets one request at a time reach the store, keeps those that come late, and shows the judges what each has changed.
 */
final class Transport {
    private final World world;
    private final Site site;
    private final List<Grant> late = new ArrayList<>();
    private @Nullable Grant current;
    private String sent = "";
    private long seen;

    Transport(World world, Site site) {
        this.world = world;
        this.site = site;
        this.seen = site.lsn();
    }

    /** How many transactions were judged, of all that the store has seen. */
    long seen() {
        return seen;
    }

    /** Nothing may be sent. */
    void close() {
        current = null;
        site.wire().grant(null);
    }

    /** One request may be sent. */
    void open(Grant grant, String what) {
        current = grant;
        sent = what;
        site.wire().grant(grant);
    }

    /** It was given up, and applies later. */
    void keep(Grant grant) {
        late.add(grant);
    }

    /** How many are still to come. */
    int late() {
        return late.size();
    }

    /** A late one applies. */
    void applyLate(int place) {
        var grant = late.remove(place);
        open(grant, "arrives late");
        grant.applyLate();
        catchUp();
    }

    /** Looks at what the last request changed; also called by its sender, before it judges what it was told. */
    void catchUp() {
        var grant = current;
        if (grant == null) {
            return;
        }
        grant.takeAnswered()
                .forEach(request -> world.note(
                        grant.operation().process(),
                        grant.operation().kind() + " " + sent + ": " + Trace.request(request)
                                + (grant.fault() == Fault.NONE ? "" : " " + grant.fault())));
        var changes = site.changesAfter(seen);
        seen = site.lsn();
        world.ledger().changed(changes, grant.operation());
    }
}
