"""See the package."""


def is_live():
    """Every test talks to the emulator."""
    return True
