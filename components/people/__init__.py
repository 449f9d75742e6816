"""Who is at the desk: sign-in, tills, passwords and second steps, People and Audit."""
