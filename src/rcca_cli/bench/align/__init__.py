"""How often the credit lands on the fault: `rcca bench align`."""
