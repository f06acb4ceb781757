"""Earlier permits from spreadsheets: read, looked at row by row, taken over once."""
