package io.sluice.examples.orders;

import io.sluice.examples.runtime.Activity;
import io.sluice.examples.runtime.ActivityFailedException;
import io.sluice.examples.runtime.Registry;
import java.nio.file.Path;
import java.util.Set;

/**
 * The world outside: stock, cards and carriers, kept in a folder that several processes share. Every activity may run
 * twice, so each only records that its effect is there. Thread-safe.
 */
public final class Warehouse {
    static final String RESERVE_STOCK = "reserve-stock";
    static final String RELEASE_STOCK = "release-stock";
    static final String CHARGE_CARD = "charge-card";
    static final String PACK_PARCEL = "pack-parcel";
    static final String HAND_TO_CARRIER = "hand-to-carrier";
    static final String MAIL_GIFT_CARD = "mail-gift-card";

    private static final int FLAKY_FAILURES = 2;

    private final OrderIds reserved;
    private final OrderIds charged;
    private final OrderIds packed;
    private final OrderIds shipped;

    /** The warehouse whose records are in this folder; empty when there is none. */
    public Warehouse(Path folder) {
        this.reserved = new OrderIds(folder.resolve("reserved"));
        this.charged = new OrderIds(folder.resolve("charged"));
        this.packed = new OrderIds(folder.resolve("packed"));
        this.shipped = new OrderIds(folder.resolve("shipped"));
    }

    /** The orchestrations of this package, and activities that act on this warehouse. */
    public Registry registry() {
        return new Registry()
                .orchestration(OrderFulfilment.NAME, new OrderFulfilment())
                .orchestration(Shipping.NAME, new Shipping())
                .activity(RESERVE_STOCK, onTask(this::reserve))
                .activity(RELEASE_STOCK, onTask(this::release))
                .activity(CHARGE_CARD, onTask(this::charge))
                .activity(PACK_PARCEL, onTask(this::pack))
                .activity(HAND_TO_CARRIER, onTask(this::handOver))
                .activity(MAIL_GIFT_CARD, onTask(this::mail));
    }

    /** Orders whose stock is reserved. */
    public Set<String> reserved() {
        return reserved.all();
    }

    /** Orders that were paid. */
    public Set<String> charged() {
        return charged.all();
    }

    /** Orders on their way. */
    public Set<String> shipped() {
        return shipped.all();
    }

    private String reserve(OrderTask task) throws ActivityFailedException {
        if (task.order().type() == OrderType.BACKORDER && task.attempt() == 1) {
            throw new ActivityFailedException("out of stock", true);
        }
        reserved.add(task.order().orderId());
        return "reserved";
    }

    private String release(OrderTask task) {
        reserved.remove(task.order().orderId());
        return "released";
    }

    private String charge(OrderTask task) throws ActivityFailedException {
        switch (task.order().card()) {
            case OK -> charged.add(task.order().orderId());
            case FLAKY -> {
                if (task.attempt() <= FLAKY_FAILURES) {
                    throw new ActivityFailedException("payment service unavailable", true);
                }
                charged.add(task.order().orderId());
            }
            case DECLINED -> throw new ActivityFailedException("card declined", false);
        }
        return "charged " + task.order().amount() + " " + task.order().currency();
    }

    private String pack(OrderTask task) {
        packed.add(task.order().orderId());
        return "packed";
    }

    private String handOver(OrderTask task) throws ActivityFailedException {
        if (!packed.contains(task.order().orderId())) {
            throw new ActivityFailedException("nothing packed", false);
        }
        shipped.add(task.order().orderId());
        return "parcel " + task.order().country() + "-" + task.order().orderId();
    }

    private String mail(OrderTask task) {
        shipped.add(task.order().orderId());
        return "mail " + task.order().orderId();
    }

    private static Activity onTask(Work work) {
        return task -> work.on(OrderJson.decode(task.input(), OrderTask.class));
    }

    /** An activity's work on its decoded input. */
    @FunctionalInterface
    private interface Work {
        String on(OrderTask task) throws ActivityFailedException;
    }
}
