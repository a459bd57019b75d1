"""Stage `train`: a policy-gradient update from credit per token, and the checkpoint it leaves."""
