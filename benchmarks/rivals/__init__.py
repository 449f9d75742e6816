"""The claims page as a competent user writes it first, in three frameworks; only the benchmark starts these."""
