"""Stage `rollout`: answers to tasks, each with the tokens it was sampled as."""
