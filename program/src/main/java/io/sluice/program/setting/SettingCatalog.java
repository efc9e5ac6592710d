package io.sluice.program.setting;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Every setting of a program, in the order of {@code --help}. Filled while its class is made, then only read. */
public final class SettingCatalog {
    private final List<Setting<?>> declared = new ArrayList<>();
    private final Map<String, Setting<?>> renamed = new HashMap<>();

    /** Adds one. */
    public <T> Setting<T> add(Setting<T> setting) {
        declared.add(setting);
        return setting;
    }

    /** Adds one with a default. */
    public <T> Setting<T> add(String key, Setting.Type<T> type, String defaultText, String sentence) {
        return add(Setting.of(key, type, defaultText, sentence));
    }

    /** Adds one that must be given. */
    public Setting<String> addRequired(String key, Setting.Type<String> type, String sentence) {
        return add(Setting.required(key, type, sentence));
    }

    /** Says that a setting had another key: whoever sets that is told the name of now, and nothing is read from it. */
    public void renamed(String formerKey, Setting<?> setting) {
        renamed.put(formerKey, setting);
    }

    /** The setting that had this key once, or whose variable had this name. */
    Optional<Setting<?>> renamed(String former) {
        return renamed.entrySet().stream()
                .filter(each -> each.getKey().equals(former)
                        || Setting.variable(each.getKey()).equals(former))
                .<Setting<?>>map(Map.Entry::getValue)
                .findFirst();
    }

    /** All settings. */
    public List<Setting<?>> all() {
        return List.copyOf(declared);
    }

    /** Variable, range, default and meaning of each, for {@code --help}. */
    public String table() {
        StringBuilder table = new StringBuilder();
        for (Setting<?> setting : declared) {
            table.append(String.format(
                    Locale.ROOT,
                    "  %-32s  %-28s  %s%n      %s%n",
                    setting.variable(),
                    setting.type().range(),
                    shownDefault(setting.defaultText()),
                    setting.sentence()));
        }
        return table.toString();
    }

    private static String shownDefault(@Nullable String text) {
        if (text == null) {
            return "required";
        }
        return text.isEmpty() ? "none by default" : "default " + text;
    }
}
