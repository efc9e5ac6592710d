package io.sluice.accountkit;

import io.sluice.program.setting.Program;
import io.sluice.program.setting.SettingCatalog;
import io.sluice.program.setting.Settings;
import io.sluice.program.setting.StoreSettings;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The settings of the account: those of every program that opens a store. */
final class KitCatalog {
    private static final SettingCatalog CATALOG = new SettingCatalog();
    private static final StoreSettings STORE = new StoreSettings(CATALOG);
    private static final Program PROGRAM =
            new Program(CATALOG, List.of(), StoreSettings.OTHER_VARIABLES, "SLUICE_ACCOUNT_KIT_", List.of(), Set.of());

    private KitCatalog() {}

    /**
     * What an environment says.
     *
     * @throws io.sluice.program.setting.SettingsException naming every fault
     */
    static CosmosStoreConfig read(Map<String, String> environment) {
        Settings settings = Settings.of(PROGRAM, environment, null);
        Optional<CosmosStoreConfig> read = STORE.read(settings);
        settings.throwIfFaulty();
        return read.orElseThrow();
    }

    static String settingsText() {
        return "Settings, as environment variables; database and container count with --prepared alone, throughput"
                + " never.%n".formatted() + CATALOG.table();
    }
}
