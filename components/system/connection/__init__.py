"""Connection: which service this desk speaks to, and the sandbox's panel for trainers."""
