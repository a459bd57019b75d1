"""Stage `align`: from judged groups to credit for every sampled token."""
