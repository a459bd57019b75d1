"""Why no gradient: how much signal an aligned file has, where the rest of it went, and what to do about it."""
