package io.sluice.provider.world.game;

import io.sluice.provider.world.game.Compared.Node;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/** What processes hold, and some of what they held: its tokens must be refused. */
final class HeldTokens<G extends HeldTokens.HeldToken> {
    private static final int MOST_KEPT = 10;

    private final Compared both;
    private final List<G> grips = new ArrayList<>();
    /**
     * A token whose ack was refused is dead in that process; the contract would still take its abandon, which changes
     * nothing any more.
     */
    private final Set<String> dead = new HashSet<>();

    private final Set<String> usedElsewhere = new HashSet<>();

    /** Something as both stores gave it. */
    interface HeldToken {
        Node fetcher();

        String token();
    }

    HeldTokens(Compared both) {
        this.both = both;
    }

    void add(G grip) {
        grips.add(grip);
        if (grips.size() > MOST_KEPT) {
            grips.remove(0);
        }
    }

    /** One of them, if there is one. */
    Optional<G> recent(SplittableRandom random) {
        return grips.isEmpty() ? Optional.empty() : Optional.of(Draw.recent(grips, random));
    }

    /** One that can be given back. */
    Optional<G> alive(SplittableRandom random) {
        return recent(random).filter(grip -> !dead.contains(grip.token()));
    }

    /**
     * A process that uses a token: mostly the one that fetched it, or another one, once. Each goes by what it knows of
     * a lock, so none renews a token that another one goes on using.
     */
    Node user(G grip, SplittableRandom random) {
        boolean other = Draw.oneIn(6, random) && usedElsewhere.add(grip.token());
        return other ? both.process(random) : grip.fetcher();
    }

    /** Its ack was refused. */
    void died(G grip) {
        dead.add(grip.token());
    }

    /** It was used up. */
    void spent(G grip, SplittableRandom random) {
        if (!Draw.oneIn(4, random)) {
            grips.remove(grip);
        }
    }
}
