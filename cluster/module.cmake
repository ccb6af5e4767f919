oddsbound_module(cluster)  # cli/shared_run.h is its interface
