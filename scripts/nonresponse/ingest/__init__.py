"""Raw files become tables; all their faults are found."""
