package io.sluice.program.setting;

import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.cosmos.StoreVariable;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The settings of a store: those that {@link StoreVariable} describes. */
public final class StoreSettings {
    /** The specification's names, accepted where ours are not set: which variable stands for which. */
    public static final Map<String, String> OTHER_VARIABLES = Stream.of(StoreVariable.values())
            .collect(Collectors.toUnmodifiableMap(StoreVariable::otherVariable, StoreVariable::variable));

    private final Map<StoreVariable, Setting<String>> settings = new EnumMap<>(StoreVariable.class);

    /** Adds them to a program's. */
    public StoreSettings(SettingCatalog catalog) {
        for (StoreVariable variable : StoreVariable.values()) {
            settings.put(variable, catalog.add(setting(variable)));
        }
    }

    private static Setting<String> setting(StoreVariable variable) {
        String key = Setting.key(variable.variable());
        Setting.Type<String> type =
                new Setting.Type<>(variable.range(), variable == StoreVariable.KEY, text -> checked(variable, text));
        String defaultText = variable.defaultText();
        return defaultText == null
                ? Setting.required(key, type, variable.sentence())
                : Setting.of(key, type, defaultText, variable.sentence());
    }

    private static String checked(StoreVariable variable, String text) {
        variable.fault(text).ifPresent(fault -> {
            throw new IllegalArgumentException(fault);
        });
        return text;
    }

    /** The store that was set; empty, with a fault for each, when it can't be opened so. */
    public Optional<CosmosStoreConfig> read(Settings from) {
        Map<String, String> environment = new HashMap<>();
        boolean byIdentity = from.get(of(StoreVariable.AUTH)).equalsIgnoreCase("aad");
        settings.forEach((variable, setting) -> {
            if (variable != StoreVariable.KEY || !byIdentity) {
                environment.put(variable.variable(), from.get(setting));
            }
        });
        if (from.isFaulty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(CosmosStoreConfig.fromEnvironment(environment));
        } catch (IllegalArgumentException e) {
            from.addFault("the store: " + e.getMessage());
            return Optional.empty();
        }
    }

    private Setting<String> of(StoreVariable variable) {
        return Optional.ofNullable(settings.get(variable)).orElseThrow();
    }
}
