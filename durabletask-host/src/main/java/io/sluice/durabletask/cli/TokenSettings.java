package io.sluice.durabletask.cli;

import io.sluice.durabletask.access.JwtTokens;
import io.sluice.durabletask.access.StaticTokens;
import io.sluice.durabletask.access.TokenCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who may call, as an environment says: those with a token of a file, or of an identity provider, or with either. */
final class TokenSettings {
    private final Map<String, String> environment;
    private final List<String> faults;

    private TokenSettings(Map<String, String> environment, List<String> faults) {
        this.environment = environment;
        this.faults = faults;
    }

    /**
     * Reads an environment.
     *
     * @param faults gets what is wrong
     * @return null where nobody is asked for a token
     */
    static @Nullable TokenCheck of(Map<String, String> environment, List<String> faults) {
        TokenSettings settings = new TokenSettings(environment, faults);
        @Nullable TokenCheck own = settings.ofFile();
        @Nullable TokenCheck signed = settings.ofProvider();
        if (own == null || signed == null) {
            return own == null ? signed : own;
        }
        return token -> own.grantOf(token).or(() -> signed.grantOf(token));
    }

    private @Nullable TokenCheck ofFile() {
        String file = HostVariable.TOKENS_FILE.read(environment);
        if (file.isEmpty()) {
            return null;
        }
        try {
            return StaticTokens.parse(Files.readString(Path.of(file)));
        } catch (IOException e) {
            faults.add(HostVariable.TOKENS_FILE.variable() + " must be a file that can be read, was " + file);
        } catch (IllegalArgumentException e) {
            faults.add(HostVariable.TOKENS_FILE.variable() + " can't be read: " + e.getMessage());
        }
        return null;
    }

    private @Nullable TokenCheck ofProvider() {
        String keys = HostVariable.JWKS.read(environment);
        String issuer = needed(HostVariable.JWT_ISSUER, keys);
        String audience = needed(HostVariable.JWT_AUDIENCE, keys);
        if (keys.isEmpty() || issuer.isEmpty() || audience.isEmpty()) {
            return null;
        }
        try {
            return JwtTokens.of(
                    keys,
                    issuer,
                    audience,
                    new JwtTokens.Claims(
                            HostVariable.JWT_RIGHTS_CLAIM.read(environment),
                            HostVariable.JWT_HUBS_CLAIM.read(environment)));
        } catch (IllegalArgumentException e) {
            faults.add(HostVariable.JWKS.variable() + ": " + e.getMessage());
            return null;
        }
    }

    /** Without the others each of the three would let in too many, or nobody. */
    private String needed(HostVariable variable, String keys) {
        String value = variable.read(environment);
        if (keys.isEmpty() != value.isEmpty()) {
            faults.add(variable.variable() + " and " + HostVariable.JWKS.variable() + " go together, only one is set");
        }
        return value;
    }
}
