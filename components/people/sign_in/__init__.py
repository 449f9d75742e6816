"""Who is at the screen: the form, the cookie, sign-outs, and the guard against guessing."""
