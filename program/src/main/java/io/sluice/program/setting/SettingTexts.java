package io.sluice.program.setting;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Takes the texts of settings from a file and an environment. Names of settings that don't exist are faults. */
final class SettingTexts {
    private static final Pattern LIKE_A_SETTING = Pattern.compile("[a-zA-Z]+([._-][a-zA-Z]+){1,8}");

    private final Program program;
    private final Settings settings;

    SettingTexts(Program program, Settings settings) {
        this.program = program;
        this.settings = settings;
    }

    /** Takes the settings of a properties file. */
    void takeFile(Path file) {
        Properties properties = new Properties();
        try (var in = Files.newBufferedReader(file)) {
            properties.load(in);
        } catch (IOException | IllegalArgumentException e) {
            settings.addFault("the configuration file can't be read: " + e);
        }
        Set<String> known = program.catalog().all().stream().map(Setting::key).collect(Collectors.toSet());
        for (String key : properties.stringPropertyNames()) {
            String text = properties.getProperty(key);
            Optional<SettingFamily> family = familyOf(key);
            if (known.contains(key)) {
                settings.give(key, key, text);
            } else if (family.isPresent() && LIKE_A_SETTING.matcher(key).matches()) {
                take(family.get(), key, key.substring(family.get().prefix().length()), text);
            } else {
                // A key that goes over several lines makes names of its own.
                String shown = LIKE_A_SETTING.matcher(key).matches() ? key : "a name that is not shown";
                settings.addFault(program.catalog()
                        .renamed(key)
                        .map(setting -> key + " is called " + setting.key() + " now")
                        .orElse(shown + " is no setting: --help lists them"));
            }
        }
    }

    private Optional<SettingFamily> familyOf(String key) {
        return program.families().stream()
                .filter(family -> key.startsWith(family.prefix()))
                .filter(family -> family.isClosed()
                        || family.has(key.substring(family.prefix().length())))
                .findFirst();
    }

    /** Takes the settings of the environment; they replace the file's. */
    void takeEnvironment(Map<String, String> environment) {
        program.otherVariables().forEach((other, variable) -> take(environment, other, Setting.key(variable)));
        program.catalog().all().forEach(setting -> take(environment, setting.variable(), setting.key()));
        Set<String> known =
                program.catalog().all().stream().map(Setting::variable).collect(Collectors.toSet());
        environment.forEach((variable, text) -> {
            if (!known.contains(variable) && !text.isBlank()) {
                takeMember(variable, text);
            }
        });
    }

    private void take(Map<String, String> environment, String variable, String key) {
        String text = environment.get(variable);
        if (text != null) {
            settings.give(key, variable, text);
        }
    }

    private void takeMember(String variable, String text) {
        String key = Setting.key(variable);
        familyOf(key).ifPresent(family -> {
            String member = key.substring(family.prefix().length());
            // Some settings end like the variables that container platforms set for services.
            if (family.has(member) || (family.isClosed() && !UnknownVariables.isOfAService(variable))) {
                take(family, variable, member, text);
            }
        });
    }

    private void take(SettingFamily family, String name, String member, String text) {
        String fault = family.fault(member, text);
        if (fault == null) {
            settings.give(family, member, text.strip());
        } else {
            settings.addFault(name + " " + fault);
        }
    }
}
