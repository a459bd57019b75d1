"""Whether the credit pays: `rcca bench credit`."""
