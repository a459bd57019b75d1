"""Stage `synth`: tasks with checkable requirements, reference solutions and known bugs, from feature families."""
