package io.sluice.durabletask.cli;

import io.sluice.program.setting.Setting;
import io.sluice.program.setting.SettingTypes;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosProviderBuilder;
import java.time.Duration;
import java.util.Optional;

/**
 * How long a purge waits for the relay that publishes what it removes.
 *
 * @param isByRegistration whether it waits only where relays have registered that they publish the container
 * @param timeout zero for not at all
 */
record RelayWait(boolean isByRegistration, Duration timeout) {
    private static final String AUTO = "auto";
    private static final int LONGEST_SECONDS = 3_600;

    /** Seconds, or {@code auto}. */
    static Setting.Type<RelayWait> type() {
        Setting.Type<Duration> seconds = SettingTypes.seconds(0, LONGEST_SECONDS, ", 0 for no relay, or auto");
        return new Setting.Type<>(
                seconds.range(),
                false,
                text -> text.equals(AUTO)
                        ? new RelayWait(true, CosmosProviderBuilder.DEFAULT_RELAY_TIMEOUT)
                        : new RelayWait(false, seconds.parse().apply(text)));
    }

    /** Makes a provider's purges wait. */
    void applyTo(CosmosProviderBuilder builder) {
        if (isByRegistration) {
            builder.relayWherePublished(timeout);
        } else if (!timeout.isZero()) {
            builder.relayExpected(timeout);
        }
    }

    /**
     * What is wrong where a relay publishes the container and no purge waits for it.
     *
     * @throws io.sluice.provider.ProviderException when the store gave no answer
     */
    Optional<String> warning(CosmosProvider provider) {
        return timeout.isZero()
                ? provider.publishedPrefix()
                        .map(prefix -> "a relay publishes it under the prefix " + prefix + ", and "
                                + HostCatalog.RELAY_TIMEOUT.variable()
                                + " is 0: a purge removes history that may not be"
                                + " published yet, and the topics are never told of it; leave the setting out,"
                                + " or set 30")
                : Optional.empty();
    }
}
