package io.sluice.provider.world;

import io.sluice.provider.ProviderException;
import io.sluice.provider.request.RequestObserver.Way;
import io.sluice.provider.world.judge.LockRules;
import io.sluice.provider.world.judge.Operation;
import io.sluice.provider.world.judge.Operation.Kind;
import io.sluice.provider.world.site.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/** Decides what becomes of each request: a seed draws it, or a strike has planned it. */
interface FaultPlan {
    /** What befalls the request that a process is about to send. */
    Fault next(Node node, Way way);

    /** Whether a process dies where it waits between two operations. */
    boolean isDeath();

    /** Faults that are drawn stop. */
    void calm();

    /** Whether a caller may be told of a failure. */
    boolean mayBeHeard(Operation asked, ProviderException failure, LockRules locks);

    /** The requests that a fault could be planned for, so far. */
    List<AtRisk> atRisk();

    /** A request that a fault could be planned for: what it is part of, and how it is sent. */
    record AtRisk(Kind kind, Way way) {
        /** Whether these can strike it and what its sender does next. */
        boolean canMeet(List<Fault> faults) {
            return faults.get(0).canMeet(kind, way) && (faults.size() == 1 || way == Way.WRITE);
        }
    }

    /** Each request of a process may meet a fault, some in each operation. */
    final class Drawn implements FaultPlan {
        private static final int MOST_FAULTS_AT_ONCE = 2;
        private static final int[] FAULTS_IN_A_HUNDRED = {0, 8, 20, 35};

        private final SplittableRandom random;
        private final int faultsInAHundred;
        private boolean isCalm;

        Drawn(SplittableRandom random) {
            this.random = random;
            this.faultsInAHundred = FAULTS_IN_A_HUNDRED[random.nextInt(FAULTS_IN_A_HUNDRED.length)];
        }

        @Override
        public Fault next(Node node, Way way) {
            if (isCalm || node.faults() >= MOST_FAULTS_AT_ONCE || random.nextInt(100) >= faultsInAHundred) {
                return Fault.NONE;
            }
            var possible = Fault.of(way);
            var fault = possible.get(random.nextInt(possible.size()));
            // The dead are many enough.
            return fault.isDeath() && random.nextInt(3) > 0 ? Fault.NONE : fault;
        }

        @Override
        public boolean isDeath() {
            return !isCalm && faultsInAHundred > 0 && random.nextInt(100) == 0;
        }

        @Override
        public void calm() {
            isCalm = true;
        }

        @Override
        public boolean mayBeHeard(Operation asked, ProviderException failure, LockRules locks) {
            return true;
        }

        @Override
        public List<AtRisk> atRisk() {
            return List.of();
        }
    }

    /** What strikes one request of a story, or some in a row. */
    final class Planned implements FaultPlan {
        private final StoryFaults strike;
        private final List<AtRisk> atRisk = new ArrayList<>();

        Planned(StoryFaults strike) {
            this.strike = strike;
        }

        @Override
        public Fault next(Node node, Way way) {
            var kind = Objects.requireNonNull(node.operation()).kind();
            if (!strike.story().isAtRisk(kind)) {
                return Fault.NONE;
            }
            atRisk.add(new AtRisk(kind, way));
            var fault = strike.faultOf(atRisk.size());
            return fault.canMeet(kind, way) ? fault : Fault.NONE;
        }

        @Override
        public boolean isDeath() {
            return false;
        }

        @Override
        public void calm() {}

        @Override
        public boolean mayBeHeard(Operation asked, ProviderException failure, LockRules locks) {
            return strike.mayBeHeard(asked, failure, locks);
        }

        @Override
        public List<AtRisk> atRisk() {
            return List.copyOf(atRisk);
        }
    }
}
