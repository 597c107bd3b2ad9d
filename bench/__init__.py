"""Benchmarks: speed compared with other libraries (`make bench`), strength of bots, quality of imagined worlds."""
