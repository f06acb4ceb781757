"""Bills for city work: made, paid, credited, reversed, assessed, divided."""
