"""What machines read and write of materials."""
