package io.sluice.relay.kafka;

import org.apache.kafka.common.utils.Utils;

/** The partition that Kafka's producers choose for a key. */
public final class KeyPartition {
    private KeyPartition() {}

    /** Of so many partitions, from 0. */
    public static int of(byte[] key, int partitions) {
        return Utils.toPositive(Utils.murmur2(key)) % partitions;
    }
}
