"""The guided tour: what staff and managers do first in the sandbox, step by step, until they have done it once."""
