"""Complete readings of claims, one a night: what nobody else keeps."""
