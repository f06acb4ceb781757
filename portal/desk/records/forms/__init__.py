"""What clerk, attorney and administrator enter about records."""
