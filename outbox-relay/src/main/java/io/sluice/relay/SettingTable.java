package io.sluice.relay;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The settings as {@code --help} shows them. */
final class SettingTable {
    private SettingTable() {}

    /** Variable, range, default, meaning. */
    static String text() {
        var table = new StringBuilder();
        for (Setting<?> setting : SettingCatalog.all()) {
            table.append(String.format(
                    Locale.ROOT,
                    "  %-32s %-28s %s%n      %s%n",
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
