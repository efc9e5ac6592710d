package io.sluice.provider.cosmos.work.index;

import io.sluice.provider.cosmos.work.KnownWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Topics with announcements: partitions that one process reads, and share groups. */
final class SimulatedTopic {
    private SimulatedTopic() {}

    /** A record. */
    record Entry(KnownWork work) {}

    /** A partition of a group: its owner reads it in order, and commits what is handled up to the first that is not. */
    static final class Partition {
        private final List<Entry> records = new ArrayList<>();
        private final TreeSet<Integer> handled = new TreeSet<>();
        private final List<SimulatedReceipt> given = new ArrayList<>();
        private int next;
        private int committed;

        @Nullable
        SimulatedProcess owner;

        void send(KnownWork work) {
            records.add(new Entry(work));
        }

        /** The next record for its owner. */
        Optional<SimulatedReceipt> read() {
            if (next == records.size()) {
                return Optional.empty();
            }
            int offset = next++;
            var receipt = new SimulatedReceipt(records.get(offset), () -> commit(offset), () -> {
                throw new AssertionError("what a group keeps was given back");
            });
            given.add(receipt);
            return Optional.of(receipt);
        }

        private void commit(int offset) {
            handled.add(offset);
            while (handled.remove(committed)) {
                committed++;
            }
        }

        /** Another process reads on from what was committed. */
        void assign(@Nullable SimulatedProcess newOwner) {
            given.forEach(SimulatedReceipt::withdraw);
            given.clear();
            handled.clear();
            next = committed;
            owner = newOwner;
        }

        boolean isHandled() {
            return committed == records.size();
        }
    }

    /** A share group: each record is one member's for a while, and goes back, but not for ever. */
    static final class Shared {
        private static final int MOST_DELIVERIES = 4;
        static final long LOCK_MILLIS = 30_000;

        private final VirtualTime time;
        private final List<Slot> slots = new ArrayList<>();

        Shared(VirtualTime time) {
            this.time = time;
        }

        private static final class Slot {
            final Entry record;
            int deliveries;

            @Nullable
            SimulatedReceipt held;

            Slot(Entry record) {
                this.record = record;
            }
        }

        void send(KnownWork work) {
            slots.add(new Slot(new Entry(work)));
        }

        /**
         * The first record that nobody has.
         *
         * @param dropped when it came back too often
         */
        Optional<SimulatedReceipt> acquire(Runnable dropped) {
            for (Slot slot : slots) {
                if (slot.held == null) {
                    return Optional.of(give(slot, dropped));
                }
            }
            return Optional.empty();
        }

        private SimulatedReceipt give(Slot slot, Runnable dropped) {
            slot.deliveries++;
            var receipt = new SimulatedReceipt(
                    slot.record, () -> slots.remove(slot), () -> time.in(250, () -> free(slot, dropped)));
            slot.held = receipt;
            time.in(LOCK_MILLIS, () -> {
                if (slot.held == receipt) {
                    receipt.withdraw();
                    free(slot, dropped);
                }
            });
            return receipt;
        }

        private void free(Slot slot, Runnable dropped) {
            slot.held = null;
            if (slot.deliveries >= MOST_DELIVERIES && slots.remove(slot)) {
                dropped.run();
            }
        }

        boolean isEmpty() {
            return slots.isEmpty();
        }
    }
}
