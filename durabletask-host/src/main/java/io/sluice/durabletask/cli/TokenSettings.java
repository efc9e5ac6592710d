package io.sluice.durabletask.cli;

import io.sluice.durabletask.access.JwtTokens;
import io.sluice.durabletask.access.StaticTokens;
import io.sluice.durabletask.access.TokenCheck;
import io.sluice.program.setting.Setting;
import io.sluice.program.setting.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Who may call, as settings say: those with a token of a file, or of an identity provider, or with either. */
final class TokenSettings {
    private final Settings settings;

    private TokenSettings(Settings settings) {
        this.settings = settings;
    }

    /**
     * Reads settings, which get what is wrong.
     *
     * @return null where nobody is asked for a token
     */
    static @Nullable TokenCheck of(Settings from) {
        TokenSettings settings = new TokenSettings(from);
        @Nullable TokenCheck own = settings.ofFile();
        @Nullable TokenCheck signed = settings.ofProvider();
        if (own == null || signed == null) {
            return own == null ? signed : own;
        }
        return token -> own.grantOf(token).or(() -> signed.grantOf(token));
    }

    private @Nullable TokenCheck ofFile() {
        String file = settings.get(HostCatalog.TOKENS_FILE);
        if (file.isEmpty()) {
            return null;
        }
        try {
            return StaticTokens.parse(Files.readString(Path.of(file)));
        } catch (IOException | IllegalArgumentException e) {
            settings.addFault(HostCatalog.TOKENS_FILE, "can't be read: " + e.getMessage());
            return null;
        }
    }

    private @Nullable TokenCheck ofProvider() {
        String keys = settings.get(HostCatalog.JWKS);
        String issuer = needed(HostCatalog.JWT_ISSUER, keys);
        String audience = needed(HostCatalog.JWT_AUDIENCE, keys);
        if (keys.isEmpty() || issuer.isEmpty() || audience.isEmpty()) {
            return null;
        }
        try {
            return JwtTokens.of(
                    keys,
                    issuer,
                    audience,
                    new JwtTokens.Claims(
                            settings.get(HostCatalog.JWT_RIGHTS_CLAIM), settings.get(HostCatalog.JWT_HUBS_CLAIM)));
        } catch (IllegalArgumentException e) {
            settings.addFault(HostCatalog.JWKS, "can't be used: " + e.getMessage());
            return null;
        }
    }

    /** Without the others each of the three would let in too many, or nobody. */
    private String needed(Setting<String> setting, String keys) {
        String value = settings.get(setting);
        if (keys.isEmpty() != value.isEmpty()) {
            settings.addFault(setting, "and " + settings.nameOf(HostCatalog.JWKS) + " go together, only one is set");
        }
        return value;
    }
}
