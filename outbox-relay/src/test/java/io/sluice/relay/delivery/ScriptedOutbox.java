package io.sluice.relay.delivery;

import io.sluice.provider.ProviderException;
import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentSlice;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An outbox in memory that answers as it is told, and otherwise delivers. */
final class ScriptedOutbox implements Outbox {
    final List<Intent> delivered = new ArrayList<>();
    final List<String> parked = new ArrayList<>();
    final List<String> givenUp = new ArrayList<>();
    final List<Integer> removals = new ArrayList<>();
    final List<String> claimed = new ArrayList<>();
    private final List<Intent> intents = new ArrayList<>();
    private final Map<String, Deque<DeliveryOutcome>> answers = new ConcurrentHashMap<>();
    private FailedIntents.GivingUp givingUp = new FailedIntents.GivingUp.Failed();
    private final Map<String, Integer> asked = new ConcurrentHashMap<>();
    private int read;
    private int unreadable;
    private boolean hasRoom = true;
    private int sliceSize = Integer.MAX_VALUE;
    private volatile Consumer<Intent> beforeDelivery = intent -> {};

    synchronized ScriptedOutbox holding(Intent... more) {
        intents.addAll(List.of(more));
        return this;
    }

    ScriptedOutbox answering(Intent intent, DeliveryOutcome... outcomes) {
        answers.put(intent.key(), new ArrayDeque<>(List.of(outcomes)));
        return this;
    }

    synchronized ScriptedOutbox unreadable(int times) {
        unreadable = times;
        return this;
    }

    /** Its documents are as large as documents may be: nothing can be noted in them. */
    synchronized ScriptedOutbox withoutRoom() {
        hasRoom = false;
        return this;
    }

    /** How often it was asked for the intents of a source. */
    int asked(String source) {
        return asked.getOrDefault(source, 0);
    }

    /** How many intents it has handed out. */
    synchronized int read() {
        return read;
    }

    /** How often it has delivered. */
    synchronized int deliveries() {
        return delivered.size();
    }

    synchronized boolean isEmpty() {
        return intents.isEmpty();
    }

    @Override
    public synchronized IntentSlice undelivered(
            String source, IntentSlice.@Nullable Place after, Collection<String> passedOver) {
        if (unreadable-- > 0) {
            throw ProviderException.retryable("readIntents", "the store is away", null);
        }
        asked.merge(source, 1, Integer::sum);
        var left = intents.stream()
                .filter(intent -> intent.sourceInstance().equals(source))
                .filter(intent -> after == null || intent.id().compareTo(String.valueOf(after.id())) > 0)
                .filter(intent -> !passedOver.contains(intent.targetInstance()))
                .sorted(Intent.DELIVERY_ORDER)
                .toList();
        var slice = left.subList(0, Math.min(sliceSize, left.size()));
        read += slice.size();
        return new IntentSlice(
                slice,
                0,
                slice.size() == left.size()
                        ? null
                        : IntentSlice.Place.behind(
                                0, slice.get(slice.size() - 1).id()));
    }

    /** Hands so many out at a time; the sources' intents are of one turn each. */
    synchronized ScriptedOutbox inSlicesOf(int size) {
        sliceSize = size;
        return this;
    }

    /** Is run before each delivery. */
    ScriptedOutbox before(Consumer<Intent> task) {
        beforeDelivery = task;
        return this;
    }

    @Override
    public DeliveryOutcome deliver(Intent intent) {
        beforeDelivery.accept(intent);
        var told = answers.getOrDefault(intent.key(), new ArrayDeque<>()).poll();
        var outcome = told == null ? new DeliveryOutcome.Delivered(true) : told;
        if (outcome instanceof DeliveryOutcome.Delivered) {
            synchronized (this) {
                delivered.add(intent);
            }
        }
        return outcome;
    }

    @Override
    public synchronized void remove(String source, List<Intent> gone) {
        removals.add(gone.size());
        intents.removeAll(gone);
    }

    @Override
    public synchronized boolean park(Intent intent, String error, long nextAttemptAtMillis) {
        parked.add(intent.key() + ": " + error);
        return hasRoom;
    }

    @Override
    public synchronized boolean claim(Intent intent, long deliverAfterMillis) {
        claimed.add(intent.key() + " until " + deliverAfterMillis);
        return hasRoom;
    }

    /** How giving up ends from now on; without it, it succeeds. */
    ScriptedOutbox ending(FailedIntents.GivingUp end) {
        givingUp = end;
        return this;
    }

    @Override
    public synchronized FailedIntents.GivingUp giveUp(Intent intent, String reason) {
        givenUp.add(intent.key() + ": " + reason);
        return givingUp;
    }

    @Override
    public synchronized FailedIntents.GivingUp giveUpUnknown(Intent intent, String reason) {
        givenUp.add(intent.key() + ": " + reason + ", unknown");
        return givingUp;
    }
}
