"""One module for each kind of proof."""
