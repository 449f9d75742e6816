"""Import: many orders from a file, from the upload to the result file."""
