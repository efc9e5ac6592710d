package io.sluice.provider.world.game;

/** The provider did what the model does not. */
final class Difference extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Difference(String what, Object provider, Object model) {
        super(what + "\n  the provider: " + provider + "\n  the model:    " + model);
    }
}
