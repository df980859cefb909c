"""What every address under /api/ shares: tokens and their scopes, problems, idempotency, limits, ETags, cursors."""
