"""The screens: gate, title, inputs, one guarded call, drawing."""
