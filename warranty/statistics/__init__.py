"""What chance does, and how sure a figure is: numpy alone, pure."""
