"""The servers, channels and messages of the stand-in, and Discord's rules about them."""
