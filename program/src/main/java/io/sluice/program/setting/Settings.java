package io.sluice.program.setting;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an environment and a file say of a program's settings, and everything that is wrong with it, so that it can be
 * reported at once. Values may be used only when {@link #throwIfFaulty()} has returned. Not thread-safe.
 */
public final class Settings {
    private final Map<String, Given> given = new HashMap<>();
    private final Map<String, Map<String, String>> families = new HashMap<>();
    private final List<String> faults = new ArrayList<>();

    /**
     * A text that was set.
     *
     * @param name what the person set: a variable, or the key of a file
     */
    record Given(String name, String text) {}

    Settings() {}

    /**
     * Reads an environment, which takes precedence, and a file.
     *
     * @param file properties by the settings' keys; null for none
     */
    public static Settings of(Program program, Map<String, String> environment, @Nullable Path file) {
        Settings settings = new Settings();
        SettingTexts texts = new SettingTexts(program, settings);
        if (file != null) {
            texts.takeFile(file);
        }
        texts.takeEnvironment(environment);
        UnknownVariables.of(program, environment).forEach(settings::addFault);
        return settings;
    }

    /** Of a program that was told nothing but values by their keys. */
    public static Settings of(Map<String, String> keys) {
        Settings settings = new Settings();
        keys.forEach((key, text) -> settings.give(key, key, text));
        return settings;
    }

    void give(String key, String name, String text) {
        if (!text.isBlank()) {
            given.put(key, new Given(name, text.strip()));
        }
    }

    void give(SettingFamily family, String member, String text) {
        families.computeIfAbsent(family.prefix(), prefix -> new HashMap<>()).put(member, text);
    }

    /** The value that was set, else the default; where it is not allowed, the fallback and one more fault. */
    public <T> T get(Setting<T> setting) {
        Given text = given.get(setting.key());
        if (text == null) {
            if (setting.defaultText() == null) {
                addFault(setting.variable() + " is missing (" + setting.sentence() + ")");
            }
            return setting.fallback();
        }
        try {
            return setting.type().parse().apply(text.text());
        } catch (IllegalArgumentException e) {
            addFault(text.name() + " " + setting.refusal(text.text(), e));
            return setting.fallback();
        }
    }

    /** What was set of settings that begin alike, by their names. */
    public Map<String, String> of(SettingFamily family) {
        return Map.copyOf(families.getOrDefault(family.prefix(), Map.of()));
    }

    /** Adds a fault of a setting's value. */
    public void addFault(Setting<?> setting, String what) {
        addFault(nameOf(setting) + " " + what);
    }

    /** Adds a fault. */
    public void addFault(String fault) {
        if (!faults.contains(fault)) {
            faults.add(fault);
        }
    }

    /** What the person set: the variable, or the key of the file. */
    public String nameOf(Setting<?> setting) {
        Given text = given.get(setting.key());
        return text == null ? setting.variable() : text.name();
    }

    /** Whether a fault was found until now. */
    public boolean isFaulty() {
        return !faults.isEmpty();
    }

    /**
     * Ends the collection of faults.
     *
     * @throws SettingsException with all of them, if there are any
     */
    public void throwIfFaulty() {
        if (!faults.isEmpty()) {
            throw new SettingsException(faults);
        }
    }
}
