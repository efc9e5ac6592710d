package io.sluice.provider.world.game;

import io.sluice.provider.Provider;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.model.ReferenceStore;
import io.sluice.provider.world.Trace;
import io.sluice.provider.world.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Two processes of the store that is tested, and the model, on one clock: each call is made of both, and must come to
 * the same. Used by one thread.
 */
final class Compared {
    private final Tested tested;
    private final List<Node> processes = new ArrayList<>();
    private final ReferenceStore model;
    private final Trace trace = new Trace();
    private final long beganMillis;

    /** The store that is tested. */
    interface Tested {
        List<Provider> processes();

        VirtualTime time();

        /** Whether processes hear of work by a feed. */
        default boolean isAnnounced() {
            return false;
        }

        /** How many messages lie in an instance's queue, seen or unseen. */
        int messages(String instance);
    }

    /**
     * A process of the store that is tested.
     *
     * @param heldUntil what it took, and until when it may believe to hold it: an instance's id, or an activity
     */
    record Node(String name, Provider provider, Map<Object, Long> heldUntil) {
        ProviderAdmin admin() {
            return provider.asManagementCapability().orElseThrow();
        }
    }

    Compared(Tested tested) {
        this.tested = tested;
        this.model = new ReferenceStore(tested.time());
        this.beganMillis = now();
        for (var provider : tested.processes()) {
            processes.add(new Node("p" + (processes.size() + 1), provider, new HashMap<>()));
        }
    }

    ReferenceStore model() {
        return model;
    }

    ProviderAdmin modelAdmin() {
        return model.asManagementCapability().orElseThrow();
    }

    long now() {
        return tested.time().millis();
    }

    void pass(Duration time) {
        tested.time().pass(time);
    }

    boolean isAnnounced() {
        return tested.isAnnounced();
    }

    int messages(String instance) {
        return tested.messages(instance);
    }

    /** An instance: mostly one that exists. */
    String instance(SplittableRandom random) {
        var known = modelAdmin().listInstances();
        return known.isEmpty() || Draw.oneIn(4, random) ? Draw.instance(random) : Draw.of(known, random);
    }

    Node process(SplittableRandom random) {
        return processes.get(random.nextInt(processes.size()));
    }

    /** The first. */
    Node process() {
        return processes.get(0);
    }

    /** Makes a call of both. */
    Outcome same(String what, Supplier<?> provider, Supplier<?> reference) {
        var actual = Outcome.of(provider);
        var expected = Outcome.of(reference);
        note(what + " → " + actual);
        if (!Objects.equals(actual, expected)) {
            throw new Difference(what + "\n  the provider: " + actual + "\n  the model:    " + expected);
        }
        return actual;
    }

    /** The same for what gives nothing back. */
    Outcome same(String what, Runnable provider, Runnable reference) {
        return same(what, done(provider), done(reference));
    }

    private static Supplier<String> done(Runnable call) {
        return () -> {
            call.run();
            return "done";
        };
    }

    void note(String what) {
        trace.add("%8d ms %s".formatted(now() - beganMillis, what));
    }

    List<String> trace() {
        return trace.lines();
    }
}
