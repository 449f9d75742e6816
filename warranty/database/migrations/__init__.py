"""What changes the tables of an earlier version, a module each; tables that are missing are made as they now are."""
