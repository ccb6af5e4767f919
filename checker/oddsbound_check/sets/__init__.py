"""Claims over sets of priors."""
