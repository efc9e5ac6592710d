package io.sluice.provider.kafka;

import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkFeed;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Remembers what it heard, and answers as it is told to. */
final class RecordingListener implements WorkFeed.Listener {
    private final List<Heard> heard = new CopyOnWriteArrayList<>();
    private final List<Heard> asked = new CopyOnWriteArrayList<>();
    private final AtomicInteger lost = new AtomicInteger();
    private final AtomicInteger healthChanges = new AtomicInteger();
    private final Consumer<Heard> answer;
    private volatile String taken = "";

    private RecordingListener(Consumer<Heard> answer) {
        this.answer = answer;
    }

    /** Gives no answers; the test does. */
    static RecordingListener silent() {
        return new RecordingListener(each -> {});
    }

    static RecordingListener handling() {
        return answering(each -> each.receipt().handled());
    }

    static RecordingListener answering(Consumer<Heard> answer) {
        return new RecordingListener(answer);
    }

    /** Its filter takes activities of instances whose ids begin so, and no others. */
    RecordingListener taking(String prefix) {
        taken = prefix;
        return this;
    }

    @Override
    public boolean isForFilter(Announcement announcement) {
        return announcement.instanceId().startsWith(taken);
    }

    @Override
    public void announced(Announcement announcement, WorkFeed.Receipt receipt) {
        Heard each = new Heard(announcement.instanceId(), receipt);
        heard.add(each);
        answer.accept(each);
    }

    /** Remembered apart. */
    @Override
    public void helpAsked(Announcement announcement, WorkFeed.Receipt receipt) {
        Heard each = new Heard(announcement.instanceId(), receipt);
        asked.add(each);
        answer.accept(each);
    }

    List<String> helpAsked() {
        return asked.stream().map(Heard::instance).toList();
    }

    @Override
    public void lost() {
        lost.incrementAndGet();
    }

    @Override
    public void healthChanged() {
        healthChanges.incrementAndGet();
    }

    List<String> instances() {
        return heard.stream().map(Heard::instance).toList();
    }

    Heard get(int index) {
        return heard.get(index);
    }

    int timesLost() {
        return lost.get();
    }

    int healthChanges() {
        return healthChanges.get();
    }

    /** One announcement. */
    record Heard(String instance, WorkFeed.Receipt receipt) {}
}
