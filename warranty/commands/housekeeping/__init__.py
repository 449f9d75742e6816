"""What is done with the tables of all subjects: opened, verified, copied, purged, searched for one person."""
