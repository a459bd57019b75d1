"""One file a command: its name's options and help, no logic."""
