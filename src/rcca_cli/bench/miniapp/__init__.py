"""MiniAppBench as its users run it, on tasks of our own with checks that run, or on its own file of tasks."""
