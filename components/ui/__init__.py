"""Values in, a value out: forms, lists, questions, tables, what stands in the address."""
