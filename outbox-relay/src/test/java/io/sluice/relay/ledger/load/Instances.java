package io.sluice.relay.ledger.load;

/** The instances of a run: hubs, orders with a child each, and those that nobody runs here. */
public final class Instances {
    /** How many hubs there are. */
    public static final int HUBS = 6;

    /** Begins the names of instances that nobody runs here. */
    static final String STRANGER = "rust-";
    /** Begins the names of instances that wait for a timer and end. */
    static final String TIMER = "timer-";

    private static final String HUB = "hub-";
    private static final String ORDER = "order-";
    private static final String CHILD = "::child";

    private Instances() {}

    /** Which instance is a hub, by its number from 0. */
    public static String hub(int index) {
        return HUB + index;
    }

    /** Which instance is an order, by its number from 0. */
    public static String order(int number) {
        return ORDER + number;
    }

    /** The child that an order starts. */
    public static String childOf(String order) {
        return order + CHILD;
    }

    static boolean isHub(String instance) {
        return instance.startsWith(HUB);
    }

    static boolean isChild(String instance) {
        return instance.endsWith(CHILD);
    }

    /** The number in the instance's name; a child's name has the number of its order. */
    static int numberOf(String instance) {
        var digits = instance.replace(CHILD, "");
        return Integer.parseInt(digits.substring(digits.indexOf('-') + 1));
    }

    /** Whether an order of this number is told to stop, beside what it does anyway. */
    public static boolean isCancelled(int number) {
        return number % 10 == 0;
    }
}
