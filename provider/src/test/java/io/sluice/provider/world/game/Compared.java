package io.sluice.provider.world.game;

import io.sluice.provider.Provider;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.model.ReferenceStore;
import io.sluice.provider.world.Trace;
import io.sluice.provider.world.site.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;

/**
 * Two processes of the store that is tested, and the model, on one clock: each call is made of both, and must come to
 * the same. Used by one thread.
 */
final class Compared {
    private final Tested tested;
    private final List<Node> processes = new ArrayList<>();
    private final ReferenceStore model;
    private final Map<String, String> tokens = new HashMap<>();
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
    record Node(String name, Provider provider, Map<Object, Long> heldUntil) {}

    /**
     * One of both.
     *
     * @param tokens what its own token is for one of the provider
     */
    record Side(Provider provider, UnaryOperator<String> tokens) {
        ProviderAdmin admin() {
            return provider.asManagementCapability().orElseThrow();
        }

        String token(HeldTokens.HeldToken held) {
            return tokens.apply(held.token());
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

    /** The process of this number, counted round. */
    Node process(int number) {
        return processes.get(number % processes.size());
    }

    /** Makes a call of all processes, whose answers together are the model's. */
    void sum(String what, ToIntFunction<Provider> call) {
        var actual = Outcome.of(
                () -> processes.stream().map(Node::provider).mapToInt(call).sum());
        compare("all " + what, actual, Outcome.of(() -> call.applyAsInt(model)));
    }

    /** Makes a call of both. */
    Outcome same(Node process, String what, Function<Side, ?> call) {
        var told = process.name() + " " + what;
        var actual = Outcome.of(() -> call.apply(new Side(process.provider(), token -> token)));
        var expected = Outcome.of(() -> call.apply(new Side(model, token -> tokens.getOrDefault(token, "none"))));
        compare(told, actual, expected);
        return actual;
    }

    /** The same for what gives nothing back. */
    Outcome done(Node process, String what, Consumer<Side> call) {
        return same(process, what, side -> {
            call.accept(side);
            return "done";
        });
    }

    /** Both gave this in a fetch, each under a token of its own. */
    void given(String what, Object actual, Object expected, String token, String modelToken) {
        compare(what, actual, expected);
        tokens.put(token, modelToken);
    }

    private void compare(String what, Object actual, Object expected) {
        note(what + " → " + actual);
        if (!actual.equals(expected)) {
            throw new Difference(what, actual, expected);
        }
    }

    void note(String what) {
        long millis = now() - beganMillis;
        trace.add(() -> "%8d ms %s".formatted(millis, what));
    }

    List<String> trace() {
        return trace.lines();
    }
}
